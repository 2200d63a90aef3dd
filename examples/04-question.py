"""An agent that wants to know something. npm run example 04 py"""
import os
import muster

with muster.connect() as daemon:
    session = daemon.session(agent=os.environ.get("AGENT", "mock"))

    @session.on_question
    def answer(request):
        for question in request["questions"]:
            print(f"{question['question']} Blue")
        return {"answers": [["Blue"] for _ in request["questions"]]}  # labels, ids or own words; "reject" declines

    print(session.ask("question"))
