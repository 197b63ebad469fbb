import gg

gg.session.finish("first")
gg.session.finish("second")
try:
    gg.session.approve()
except gg.core.ApiError as error:
    print(error.code.value)
gg.session.finish("third")
print("statements after an ending run")
