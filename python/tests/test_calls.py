"""Every operation is a method, every problem an exception."""
from __future__ import annotations

import asyncio
import inspect
import os
import pickle
import re
import shutil
import socket
import ssl
import subprocess
import threading
import unittest
from typing import List
from unittest import mock

import muster
import muster.aio
from muster.generated.async_methods import AsyncMethods
from muster.generated.methods import Methods
from muster.generated.operations import OPERATIONS
from tests.live_daemon import LiveDaemonCase, Proxy


class CallsTest(LiveDaemonCase):
    def test_every_operation_is_a_method_of_both_clients(self) -> None:
        for client in (self.daemon.client, muster.aio.connect("http://127.0.0.1:1").client):
            self.assertIsInstance(client, (Methods, AsyncMethods))
            for operation in OPERATIONS:
                target: object = client
                for name in operation.split("."):
                    target = getattr(target, re.sub("[A-Z]", lambda found: "_" + found.group().lower(), name))
                self.assertTrue(inspect.ismethod(target), operation)

    def test_the_answers_are_plain_values(self) -> None:
        client = self.daemon.client
        self.assertEqual(client.health(), {"status": "ok"})
        self.assertIn("mock", client.info()["agents"])
        self.assertIn("# TYPE", client.metrics())
        made = client.sessions.create(agent="mock", directory=self.home.work, limits={"turnMs": 60_000})
        session_id = made["session"]["sessionId"]
        self.assertEqual(client.sessions.update(session_id, title="ä b/c").get("title"), "ä b/c")
        self.assertIn(session_id, [one["sessionId"] for one in client.sessions.list(limit=1000)["sessions"]])
        sent = client.sessions.send_message(session_id, message="echo twice", message_id="m1")
        self.assertEqual(client.sessions.send_message(session_id, message="echo twice", message_id="m1"), sent)
        events = list(client.sessions.stream_message(session_id, message="echo twice", message_id="m1", deltas=False))
        self.assertEqual(events[0]["sequence"], sent["sequence"])
        self.assertEqual(events[-1]["type"], "turn.ended")
        self.assertNotIn("item.delta", [event["type"] for event in events])
        page = client.sessions.get_events(session_id, offset=1, limit=2)
        self.assertEqual([event["sequence"] for event in page["events"]], [2, 3])
        lines = client.sessions.get_events(session_id, as_="claude")["events"]
        self.assertNotIn("sequence", lines[0])
        client.sessions.delete(session_id)

    def test_a_problem_has_status_code_and_fields(self) -> None:
        with self.assertRaises(muster.Failure) as caught:
            self.daemon.client.sessions.get("nobody")
        self.assertEqual((caught.exception.status, caught.exception.code), (404, "session_not_found"))
        self.assertEqual(caught.exception.fields, {"sessionId": "nobody"})
        with self.assertRaises(muster.Failure) as caught:
            muster.connect(self.daemon.endpoint, "wrong").client.info()
        self.assertEqual((caught.exception.status, caught.exception.code), (401, "unauthorized"))

    def test_a_name_that_would_leave_its_path_is_refused(self) -> None:
        for name in ("", ".", ".."):
            with self.assertRaises(ValueError):
                self.daemon.client.sessions.get(name)
        with self.assertRaises(muster.Failure):
            self.daemon.client.sessions.get("a/../b?c#d")

    def test_without_a_daemon_the_failure_says_so(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        endpoint = f"http://127.0.0.1:{port}"
        with self.assertRaisesRegex(muster.ConnectionFailure, "Connection refused"):
            muster.connect(endpoint, retries=0).client.health()
        with self.assertRaisesRegex(muster.ConnectionFailure, "refused|Connect call failed"):
            asyncio.run(muster.aio.connect(endpoint, retries=0).client.health())

    def test_a_daemon_that_does_not_answer_is_a_timeout(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            endpoint = f"http://127.0.0.1:{server.getsockname()[1]}"
            with self.assertRaises(muster.CallTimeout):
                muster.connect(endpoint, retries=0).client.health(timeout=0.05)
            with self.assertRaises(TimeoutError):
                asyncio.run(muster.aio.connect(endpoint, retries=0).client.health(timeout=0.05))

    def test_a_stream_that_waits_for_an_answer_is_closed_from_another_thread(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            stream = muster.connect(f"http://127.0.0.1:{server.getsockname()[1]}", timeout=60).watch()
            heard: List[object] = []
            reader = threading.Thread(target=lambda: heard.extend(stream))
            reader.start()
            silent, _ = server.accept()
            silent.recv(1)
            stream.close()
            reader.join(30)
            silent.close()
            self.assertEqual((reader.is_alive(), heard), (False, []))

    @unittest.skipUnless(shutil.which("openssl"), "openssl makes the certificate")
    def test_tls(self) -> None:
        """A certificate the system trusts is enough; one it does not trust is refused."""
        key, certificate = f"{self.home.path}/key.pem", f"{self.home.path}/certificate.pem"
        names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names]
        subprocess.run([*make, "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        with Proxy(self.port, tls=context) as proxy:
            endpoint = f"https://localhost:{proxy.port}"
            with self.assertRaisesRegex(muster.ConnectionFailure, "certificate verify failed"):
                muster.connect(endpoint, self.token, retries=0).client.info()
            with mock.patch.dict(os.environ, {"SSL_CERT_FILE": certificate}):
                self.assertIn("mock", muster.connect(endpoint, self.token).client.info()["agents"])
                found = asyncio.run(muster.aio.connect(endpoint, self.token).client.info())
                self.assertIn("mock", found["agents"])

    def test_an_exception_is_handed_on_by_a_pool_of_processes(self) -> None:
        """Pickled and copied it is the same: otherwise a pool waits for ever for its result."""
        errors = [
            muster.Failure(404, "session_not_found", "no such session", {"sessionId": "s1"}),
            muster.ConnectionFailure("http://x", "refused"),
            muster.CallTimeout("http://x", "too late"),
            muster.TurnFailed("failed", {"turnId": "t", "status": "failed", "cause": "rate_limited", "durationMs": 1}),
            muster.SpawnFailure("no program"),
        ]
        for error in errors:
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(again), str(again), vars(again)), (type(error), str(error), vars(error)))

    def test_ipv6(self) -> None:
        try:
            listener = socket.create_server(("::1", 0), family=socket.AF_INET6)
        except OSError:
            self.skipTest("this machine has no IPv6")
        with listener, Proxy(self.port, listener=listener) as proxy:
            endpoint = f"http://[::1]:{proxy.port}"
            self.assertEqual(muster.connect(endpoint, self.token).client.health(), {"status": "ok"})
            found = asyncio.run(muster.aio.connect(endpoint, self.token).client.health())
            self.assertEqual(found, {"status": "ok"})

    def test_what_can_be_repeated_is_repeated(self) -> None:
        session = self.session()
        session.ask("echo first")
        for limit in (0, 30):
            with Proxy(self.port, [limit, limit]) as proxy:
                client = muster.connect(proxy.url, self.token).client
                self.assertEqual(client.health(), {"status": "ok"})
                sent = client.sessions.send_message(session.id, message="echo again")
            with Proxy(self.port, [limit, limit]) as proxy:
                again = asyncio.run(
                    muster.aio.connect(proxy.url, self.token).client.sessions.send_message(
                        session.id, message="echo again", message_id=sent["messageId"]
                    )
                )
                self.assertEqual(again, sent)

    def test_what_cannot_be_repeated_is_not(self) -> None:
        session = self.session()
        session.ask("echo first")
        with Proxy(self.port, [0]) as proxy:
            with self.assertRaises(muster.ConnectionFailure):
                muster.connect(proxy.url, self.token).client.sessions.interrupt(session.id)
            self.assertEqual(len(proxy.answers), 1)

    def test_an_endpoint_must_be_a_url_without_extras(self) -> None:
        for endpoint in ("127.0.0.1:80", "ftp://x", "http://u:p@x", "http://x?a=b", "http://x#y"):
            with self.assertRaises(ValueError):
                muster.connect(endpoint)
        with self.assertRaises(ValueError):
            muster.connect("http://x", "two\r\nlines")


if __name__ == "__main__":
    unittest.main()
