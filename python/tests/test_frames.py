"""Bytes of a stream, cut at every place there is."""
from __future__ import annotations

import unittest
from typing import List

from muster.frames import Frame, FrameParser
from muster.http1 import AnswerParser, BrokenAnswer

STREAM = 'id: 1\ndata: {"ä":"\u2028"}\n\n: quiet\n\nevent: x\r\nid: 2\r\ndata: a\r\ndata:b\r\n\r\ndata\rid: 3\r\r'.encode()
FRAMES = [Frame("1", None, '{"ä":"\u2028"}'), Frame("2", "x", "a\nb"), Frame("3", None, "")]


class FramesTest(unittest.TestCase):
    def test_frames_are_the_same_wherever_the_chunks_end(self) -> None:
        for first in range(len(STREAM) + 1):
            for second in range(first, len(STREAM) + 1):
                parser = FrameParser()
                parts = (STREAM[:first], STREAM[first:second], STREAM[second:])
                frames: List[Frame] = [frame for part in parts for frame in parser.push(part)]
                self.assertEqual(frames, FRAMES, (first, second))

    def test_a_frame_that_the_end_cuts_off_is_dropped(self) -> None:
        self.assertEqual(FrameParser().push(b"id: 1\ndata: {}\n"), [])


class AnswerTest(unittest.TestCase):
    def test_an_answer_is_the_same_wherever_the_pieces_end(self) -> None:
        answers = {
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello": b"hello",
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
            b"2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nafter: all\r\n\r\n": b"hello",
            b"HTTP/1.1 204 No Content\r\n\r\n": b"",
        }
        for answer, body in answers.items():
            for first in range(len(answer) + 1):
                parser = AnswerParser()
                got = parser.push(answer[:first]) + parser.push(answer[first:])
                self.assertEqual((got, parser.is_whole), (body, True), (answer, first))
            for size in range(len(answer)):
                parser = AnswerParser()
                parser.push(answer[:size])
                if not parser.is_whole:
                    self.assertRaises(BrokenAnswer, parser.end)

    def test_an_answer_without_a_length_ends_with_the_connection(self) -> None:
        parser = AnswerParser()
        self.assertEqual(parser.push(b"HTTP/1.0 200 OK\r\n\r\nhel") + parser.push(b"lo"), b"hello")
        parser.end()
        self.assertTrue(parser.is_whole)

    def test_what_is_no_http_is_told(self) -> None:
        for answer in (b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", b"x" * 70_000):
            with self.assertRaises(BrokenAnswer):
                AnswerParser().push(answer)

    def test_a_line_end_in_two_pieces_and_an_empty_line_alone(self) -> None:
        parser = FrameParser()
        pieces = (b"data: x\r", b"\n", b"\n", b"data: y\r\n\r", b"\n")
        self.assertEqual([frame.data for piece in pieces for frame in parser.push(piece)], ["x", "y"])
