# expect: error sandbox_timeout
import asyncio
async def again():
    while True: await asyncio.sleep(0)
asyncio.run(again())
