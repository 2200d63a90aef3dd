"""Two agents at work at the same time. npm run example 07 py"""
import asyncio
import os
import muster.aio


async def main():
    first, second = os.environ.get("AGENTS", "mock,mock").split(",")
    async with muster.aio.connect() as daemon:
        one, two = daemon.session(agent=first), daemon.session(agent=second)
        answers = await asyncio.gather(one.ask("echo one"), two.ask("echo two"))
        print(*answers, sep="\n")


asyncio.run(main())
