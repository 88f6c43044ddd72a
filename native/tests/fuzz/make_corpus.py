#!/usr/bin/env python3
"""Writes the seed corpora of the fuzz targets from the kernel captures in testdata.

Usage: make_corpus.py [TESTDATA [CORPUS]], defaults as in this repository. Needs nothing but Python. Run again
when the input format of a target changes; the formats are those of fuzz_*.cc beside this file.

Files named found-* are not made here and are left alone: inputs that libFuzzer came upon, the few that reach most
of what the others do not.
"""

import json
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROCE = 4791


def packets(path):
    """Yields every RoCEv2 packet of a pcap file as (bytes from the IP header to the ICRC, offset of the BTH)."""
    data = path.read_bytes()
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    link = struct.unpack_from(order + "I", data, 20)[0]
    at = 24
    while at + 16 <= len(data):
        captured, whole = struct.unpack_from(order + "II", data, at + 8)
        frame = data[at + 16 : at + 16 + captured]
        at += 16 + captured
        if captured != whole:
            continue
        ip = frame[14:] if link == 1 else frame
        if ip[0] >> 4 == 4 and ip[9] == 17:
            size, total = 20, struct.unpack_from(">H", ip, 2)[0]
        elif ip[0] >> 4 == 6 and ip[6] == 17:
            size, total = 40, 40 + struct.unpack_from(">H", ip, 4)[0]
        else:
            continue
        if struct.unpack_from(">H", ip, size + 2)[0] == ROCE:
            yield ip[:total], size + 8


def wire_parse(captured):
    """One packet of each opcode and IP version, the smallest seen, without its ICRC (the target computes it)."""
    best = {}
    for ip, bth in captured:
        key = (ip[0] >> 4, ip[bth])
        if key not in best or len(ip) < len(best[key]):
            best[key] = ip
    return {f"ipv{v}-{opcode:02x}": ip[:-4] for (v, opcode), ip in sorted(best.items())}


def record(target, offset, where, bth):
    """fuzz_engine_rx: one captured packet, readdressed, followed by a transmit (0x20)."""
    return struct.pack("<BBbBH", 0x24, target, offset, where, len(bth)) + bth


def engine_rx(captured):
    """Streams of requests and of responses as they came, aimed in order at one QP."""
    streams = {}
    for ip, at in captured:
        bth = ip[at:-4]
        if bth[0] >= 0x80 or bth[5:8] == b"\0\0\1":  # congestion and connection management
            continue
        streams.setdefault((ip[12:20], bth[5:8]), []).append(bth)
    seen, corpus = set(), {}
    for stream in streams.values():
        kinds = tuple(sorted({bth[0] for bth in stream}))
        if kinds in seen:
            continue
        seen.add(kinds)
        out, previous = b"\x00", None
        for bth in stream[:60]:
            psn = int.from_bytes(bth[9:12], "big")
            # Distances from one PSN to the next are those of the capture, as far as a byte holds them.
            step = 0 if previous is None else max(-128, min(127, psn - previous - 1))
            previous = psn
            if len(out) + len(bth) + 6 > 5000:
                break
            # Reliable connections are QPs 0 to 5, UC is 6, UD 7; 0x80 sends to its group.
            target = {0: 2 + len(corpus) % 2, 1: 6, 3: 7 if bth[5:8] != b"\xff\xff\xff" else 0x87}[bth[0] >> 5]
            out += record(target, step, 0, bth)
        corpus["stream-" + "-".join(f"{k:02x}" for k in kinds)] = out
    # Each request and response alone, well-formed, at the PSN that is expected, for QPs 1 to 5.
    for opcode in list(range(0x15)) + [0x16, 0x17, 0x1C, 0x1D]:
        out = b"\x01"
        for target in (1, 2, 3, 4, 5):
            body = struct.pack("<BBBbBH", 0x21, target, opcode, 0, 1, 0x8000 | 24)
            body += struct.pack("<BH", 0x80, 64)
            if opcode in (0x06, 0x0A, 0x0B, 0x0C):
                body += struct.pack("<H", 24)
            if opcode in (0x13, 0x14):
                body = body[:-3] + struct.pack("<BHQB", 0x82, 64, 7, 0)
            if 0x0D <= opcode <= 0x12 and opcode != 0x0E:
                body += b"\x1f\x01"
            out += body + b"\xaa"
        corpus[f"alone-{opcode:02x}"] = out
    # Each packet alone for UC (QP 6) and UD (QP 7), too: First to Only of a connection, a datagram, one to the group.
    for opcode in list(range(0x20, 0x2C)) + [0x64, 0x65]:
        out = b"\x01"
        for flags in (1, 0x81):
            body = struct.pack("<BBBbBH", 0x21, 7 if opcode >= 0x60 else 6, opcode, 0, flags, 0x8000 | 24)
            body += struct.pack("<BH", 0x80, 64)
            if opcode >= 0x60:
                body += struct.pack("<H", 5)
            if opcode in (0x26, 0x2A, 0x2B):
                body += struct.pack("<H", 24)
            out += body + b"\xaa"
        corpus[f"alone-{opcode:02x}"] = out
    # WRITEs that end with the region, and a few bytes behind it (where 0x20: counted from the end, 8 is the end).
    for opcode in (0x0A, 0x0B):
        out = b"\x00"
        for target, end in ((2, 8), (2, 9), (1, 10), (3, 12), (5, 15)):
            out += struct.pack("<BBBbBHBHHB", 0x21, target, opcode, 0, 1, 24, 0xA0, end, 24, 0xAA)
        corpus[f"edge-{opcode:02x}"] = out
    return corpus


def session():
    """Each operation over an honest network, with a packet lost, and with its receive posted late.

    Operation codes as in fuzz_session.cc: qp << 6 | what << 1 | node, arguments behind.
    """
    code = lambda what, node=0, qp=0: bytes([qp << 6 | what << 1 | node])
    post = lambda opcode, size: code(0) + struct.pack("<BBHHBB", opcode, 2, size, 64, 0, 0x41)
    receive = code(1, 1) + struct.pack("<BH", 0x41, 4096)
    transmit, carry = code(2), code(3)
    wait = lambda exponent: code(4) + bytes([exponent])
    drop = lambda index: code(5) + bytes([index])
    corpus = {}
    for opcode, name in enumerate(["write", "write-imm", "send", "send-imm", "read", "cas", "add"]):
        size = 8 if opcode > 4 else 3000
        for where, body in {
            "plain": receive + post(opcode, size) + carry,
            "lost": receive + post(opcode, size) * 2 + transmit + drop(0) + carry + wait(22) + carry,
            "late": post(opcode, size) + carry + receive + wait(18) + carry,
        }.items():
            corpus[f"{name}-{where}"] = b"\x00" + body
    # Connected and not, without acknowledgments: QPs 2 and 3, the datagram to the peer's QP 3.
    for qp, service, opcodes in ((2, "uc", (0, 1, 2, 3)), (3, "ud", (2, 3))):
        for opcode in opcodes:
            size = 900 if service == "uc" else 200
            receive = code(1, 1, qp) + struct.pack("<BH", 0x41, 4096)
            send = code(0, 0, qp) + struct.pack("<BBHHBB", opcode, 2, size, 64, 0, 0x41)
            corpus[f"{service}-{opcode}-plain"] = b"\x00" + receive + send + carry
            corpus[f"{service}-{opcode}-lost"] = b"\x00" + receive + send * 2 + transmit + drop(0) + carry
            corpus[f"{service}-{opcode}-late"] = b"\x00" + send + carry + receive + send + carry
    return corpus


def cm():
    """Each way of a connection and of a service ID resolution, from both sides, with messages lost and doubled.

    Records as in fuzz_cm.cc: a MAD that arrives, a call, time. The messages are laid out as in IBA chapter 12;
    their IDs are those of the connection that `aim` picks where its bit 0x40 is set.
    """
    req, mra, rej, rep, rtu, dreq, drep, sidr_req, sidr_rep = range(9)
    create, connect, accept, ready, reject, disconnect, resolve, answer, drop = range(9)
    ours = 0x40  # put the IDs in; the peer is the first of two, the connection the first of all

    def mad(attribute, message, aim=ours):
        message = message[:128]
        return struct.pack("<BBBB", 0, attribute, aim, len(message) - 1) + message

    def request(number, service=2, qpn=0x1000, transport=0, ack=14):
        out = bytearray(128)
        struct.pack_into(">IIQ", out, 0, number, 0, service)
        struct.pack_into(">I", out, 32, qpn << 8 | 3)
        struct.pack_into(">I", out, 40, 20 << 3 | transport << 1)
        struct.pack_into(">I", out, 44, 0x777 << 8 | 20 << 3 | 7)
        out[50], out[51], out[95] = 5 << 4 | 7, 15 << 4, ack << 3
        return bytes(out)

    ids = bytes(8)  # put in by the target
    reply = ids + struct.pack(">IIIIBBBB", 0, 0x2000 << 8, 0, 0x888 << 8, 3, 5, 15 << 3, 7 << 5) + bytes(8)
    refusal = lambda reason: ids + struct.pack(">BBH", 1 << 6, 0, reason) + bytes(16)
    patience = ids + bytes([0, 20 << 3])
    call = lambda what, argument=b"", data=0: struct.pack("<BBBB", 2, what, 0, data) + argument
    new = lambda: struct.pack("<BBBB", 2, create, 0, 0)
    wait = lambda ms: struct.pack("<BH", 3, ms)
    qpn = struct.pack("<I", 0x1234)
    opened = new() + call(connect, qpn, 5)
    asked = mad(req, request(7), 0)
    up = opened + mad(rep, reply) + call(ready)
    taken = asked + call(accept, qpn, 9) + mad(rtu, ids)
    resolving = new() + call(resolve, b"", 4)
    found = bytes(4) + bytes([0, 0, 0, 0]) + struct.pack(">IQI", 0x77 << 8, 2, 0x01234567)
    sidr = struct.pack(">IHHQ", 9, 0xFFFF, 0, 2) + bytes(16)
    return {
        "active": up + call(disconnect) + mad(drep, ids) + wait(3000),
        "active-no-answer": opened + wait(60000) * 2 + call(drop),
        "active-slow-peer": opened + mad(mra, patience) + wait(60000) + mad(rep, reply) + call(ready),
        "active-refused": opened + mad(rej, refusal(28)) + call(connect, qpn),
        "active-given-up": opened + call(drop) + mad(rep, reply),
        "active-reply-twice": opened + mad(rep, reply) * 2 + call(ready) + mad(rep, reply),
        "active-reply-refused": opened + mad(rep, reply) + call(reject, b"\x1c\x00", 10) + wait(3000),
        "active-peer-leaves": up + mad(dreq, ids + b"\0\x12\x34\0") + call(disconnect) + wait(3000),
        "active-both-leave": up + call(disconnect) + mad(dreq, ids + bytes(4)) + mad(drep, ids),
        "active-no-drep": up + call(disconnect) + wait(10000) + wait(3000),
        "passive": taken + mad(dreq, ids + bytes(4)) + call(disconnect) + wait(3000),
        "passive-refuses": asked + call(reject, b"\x1c\x00", 20) + asked + wait(9000) + asked,
        "passive-drops": asked + call(drop) + asked + wait(9000),
        "passive-asked-twice": asked * 2 + call(accept, qpn) + asked + mad(rtu, ids) + asked,
        "passive-no-rtu": asked + call(accept, qpn) + wait(60000) * 2,
        "passive-peer-gives-up": asked + mad(rej, struct.pack(">IIBBH", 7, 0, 0, 0, 4) + bytes(8), 0),
        "passive-stale": taken + mad(req, request(8), 0) + wait(9000),
        "passive-nobody": mad(req, request(7, service=3), 0) + mad(sidr_req, sidr[:15] + b"\x03" + sidr[16:], 0),
        "passive-transport": mad(req, request(7, transport=3), 0) + mad(req, request(8, transport=1), 0),
        "passive-timewait": mad(req, request(7, ack=31), 0) + call(drop) + wait(60000),
        "strangers": mad(rep, reply, 1) + mad(dreq, ids + bytes(4), 1) + mad(drep, ids, 1) + mad(rtu, ids, 1),
        "crossed": opened + asked + mad(rep, reply) + call(ready) + mad(dreq, ids + bytes(4), ours | 1),
        "sidr-active": resolving + mad(sidr_rep, found) + call(drop),
        "sidr-active-no-answer": resolving + wait(60000) * 2,
        "sidr-passive": mad(sidr_req, sidr, 0) * 2 + call(answer, b"\0", 8) + mad(sidr_req, sidr, 0) + call(drop),
        "sidr-passive-refuses": mad(sidr_req, sidr, 0) + call(answer, b"\x02", 0) + call(drop) + wait(3000),
        "many": b"".join(mad(req, request(i, qpn=0x2000 + i), i & 1) for i in range(70)) + wait(1000),
    }


def scenario():
    """Small fabrics: each topology, each kind of traffic, each change, and every other member once."""
    link = {"rate_gbps": 25, "delay_ns": 500, "pause_reaction_ns": 100, "loss": 0.01, "lose_every": 50, "lose_acks": 0.1}
    host = {"latency_ns": 100, "receive_gbps": 10, "buffer_bytes": 50000, "xoff_bytes": 20000, "xon_bytes": 10000}
    host |= {"data_class": 2, "ack_class": 2, "cnp_class": 6, "obeys_pause": True, "sends_pause": True}
    at = {"buffer_bytes": 100000, "alpha": 0.5, "lossy_alpha": 1, "latency_ns": 300, "cut_through": True, "spread": "spray"}
    at |= {"pfc": True, "reserve_bytes": 4178, "headroom_bytes": 20000, "xoff_bytes": 0, "xon_offset_bytes": 4000}
    at |= {"pause_quanta": 1000, "watchdog": {"detect_us": 5, "restore_us": 20, "drops": False}}
    at |= {"ecn": {"kmin_bytes": 5000, "kmax_bytes": 50000, "pmax": 0.5, "at_enqueue": True}}
    transport = {"mtu": 1024, "timeout": 2, "retries": 3, "depth": 2, "reads": 4, "window_bytes": 20000, "qps": 2}
    transport |= {"host_window_bytes": 50000, "acks_per_window": 2, "message_bytes": 5000, "cnp_interval_us": 4}
    transport |= {"timeout_window_cut": 8, "timeout_stretch": 1, "recovery": "go-back-0"}
    raw = {"kind": "raw", "from": 0, "to": 1, "rate_gbps": 5, "packet_bytes": 1000, "poisson": True, "random_sizes": True}
    raw |= {"on_us": 1, "off_us": 1, "packets": 9, "class": 3, "ecn": True}
    stop = {"drop": True, "pause": True, "timeout": True, "queue_bytes": 100000}
    samples = {"sample_us": 1, "sample_flows": 9, "sample_links": 9}
    changes = [{"at_us": 1, "host": 0, "link_up": False}, {"at_us": 2, "link_up": True}, {"at_us": 2, "link_gbps": 1}]
    changes += [{"at_us": 3, "loss": 0.5}, {"at_us": 3, "receive_gbps": 1}, {"at_us": 4, "window_bytes": 4096}]
    changes += [{"at_us": 5, "switch": 0, "ecn": False}, {"at_us": 5, "alpha": 2}]
    flow = {"kind": "flow", "from": 0, "to": 1, "bytes": 9000, "start_us": 1, "count": 2, "jitter_us": 2, "read": True}
    storage = {"kind": "storage", "sizes": "hadoop", "load": 0.5, "reads": 0.2, "flows": 3}
    made = {
        "back-to-back": {"topology": {"kind": "back-to-back"}, "traffic": [flow], "link": link, "until_done": True},
        "star": {"topology": {"hosts": 4}, "host": host, "switch": at, "traffic": [{"kind": "incast", "senders": 2}]},
        "leaf-spine": {"topology": {"kind": "leaf-spine", "leaves": 2, "spines": 2, "hosts_per_switch": 2}}
        | {"uplink": link, "transport": transport, "traffic": [{"kind": "permutation"}, storage], "changes": changes},
        "fat-tree": {"topology": {"kind": "fat-tree", "arity": 4}, "traffic": [{"kind": "all-to-all", "bytes": 9}]},
        "rail": {"topology": {"kind": "rail", "hosts": 2, "rails": 2, "spines": 1, "same_hash_seed": True}}
        | {"traffic": [{"kind": "ring-all-reduce", "bytes": 9000}, raw], "stop_at": stop},
        "ring": {"topology": {"kind": "ring", "switches": 3, "hosts_per_switch": 1, "clockwise": True}}
        | {"traffic": [{"kind": "tree-all-reduce", "bytes": 9000}], "name": 'a "ring"', "seed": 7} | samples,
    }
    for law in ["dcqcn-paper", "dcqcn-nic", "dcqcn-ns3", "swift", "timely"]:
        made[law] = {"transport": {"congestion": law}, "traffic": [{"to": 1}], "duration_us": 50.5}
    return {name: json.dumps(one, separators=(",", ":")).encode() for name, one in made.items()}


def main():
    testdata = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[2] / "testdata"
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "corpus"
    captured = [p for name in sorted(testdata.glob("*.pcap")) for p in packets(name)]
    total = 0
    for target, corpus in {
        "fuzz_wire_parse": wire_parse(captured),
        "fuzz_engine_rx": engine_rx(captured),
        "fuzz_session": session(),
        "fuzz_cm": cm(),
        "fuzz_scenario": scenario(),
    }.items():
        where = folder / target
        where.mkdir(parents=True, exist_ok=True)
        for old in where.iterdir():
            if not old.name.startswith("found-"):
                old.unlink()
        for name, data in corpus.items():
            (where / name).write_bytes(data)
            total += len(data)
        print(f"{target}: {len(corpus)} files")
    print(f"{total} bytes in all")


if __name__ == "__main__":
    main()
