"""An agent that asks before it acts. npm run example 03 py"""
import os
import muster

with muster.connect() as daemon:
    session = daemon.session(agent=os.environ.get("AGENT", "mock"))

    @session.on_permission
    def allow(request):
        print(f"{request['title']}? once")
        return "once"  # or "always" for the rest of the session, "reject", None to leave it to somebody else

    print(session.ask("permission touch a"))
