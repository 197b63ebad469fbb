import gg

for i in range(10000):
    gg.views.open_text("label", f"body {i}")
print("done")
