"""A second client, which knows only the id, answers what the first one asked for. npm run example 08 py"""
import os
import muster

with muster.connect() as first, muster.connect() as second:
    session = first.session(agent=os.environ.get("AGENT", "mock"))
    turn = session.prompt("permission touch a")

    for event in second.session(session.id).events():
        if event["type"] == "permission.requested":
            print(f"the second client allows: {event['data']['title']}")
            second.client.sessions.reply_permission(session.id, event["data"]["permissionId"], reply="once")
            break

    print(f"the first client hears: {turn.text()}")
