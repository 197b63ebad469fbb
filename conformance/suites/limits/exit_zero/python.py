import os

print("before")
os._exit(0)
