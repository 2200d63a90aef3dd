"""What an agent says, while it says it. npm run example 02 py"""
import os
import muster

with muster.connect() as daemon:
    session = daemon.session(agent=os.environ.get("AGENT", "mock"))
    for event in session.prompt("reasoning"):
        if event["type"] == "item.delta" and event["data"]["part"] == "text":
            print(event["data"]["delta"], end="", flush=True)
        if event["type"] == "turn.ended":
            print(f"\n{event['data']['status']}")
