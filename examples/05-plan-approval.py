"""An agent that plans, and waits for leave to begin. npm run example 05 py"""
import os
import muster

with muster.connect() as daemon:
    session = daemon.session(agent=os.environ.get("AGENT", "mock"), permission_mode="plan")

    @session.on_plan
    def approve(request):
        print(request["questions"][0].get("body"), "approved", sep="\n")
        return "approve"  # or "approve_edits", "reject", {"feedback": "what should be different"}

    print(session.ask("plan"))
