import gg

gg.session.finish("all is done")
while True:
    pass
