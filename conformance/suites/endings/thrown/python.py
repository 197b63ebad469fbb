import gg

gg.session.finish("all is done")
raise ValueError("it was not")
