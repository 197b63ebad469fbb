import datetime
import os
import random
import secrets
import time
import uuid

print(*(random.random() for _ in range(5)))
print(datetime.datetime.now(datetime.timezone.utc).isoformat(), time.time_ns())
print(secrets.token_hex(8), os.urandom(8).hex(), uuid.uuid4())
print(hash("text"), *{str(i) for i in range(20)})
