# expect: error sandbox_trap
import threading
l = threading.Lock()
l.acquire(); l.acquire()
