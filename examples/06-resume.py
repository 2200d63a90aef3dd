"""A reader that leaves in the middle, comes back and misses nothing. npm run example 06 py"""
import os
import muster

seen = []

with muster.connect() as daemon:
    session = daemon.session(agent=os.environ.get("AGENT", "mock"))
    for event in session.prompt("slow 500"):
        seen.append(event["sequence"])
        if event["type"] == "item.delta":
            break  # the turn goes on without a reader

with muster.connect() as daemon:
    for event in daemon.session(session.id).events(after=seen[-1]):
        seen.append(event["sequence"])
        if event["type"] == "turn.ended":
            break

print("every event once" if seen == list(range(seen[0], seen[0] + len(seen))) else "something is missing")
