# expect: error program_throw
import threading
threading.Thread(target=print).start()
