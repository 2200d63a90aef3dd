"""One question, one answer. npm run example 01 py"""
import os
import muster

with muster.connect() as daemon:
    session = daemon.session(agent=os.environ.get("AGENT", "mock"))
    print(session.ask("echo Hello"))
