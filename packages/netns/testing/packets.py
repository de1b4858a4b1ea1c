# Sends raw packets from namespaces and says where they arrive. A line of JSON in, a line out: see packets.ts.
import ctypes
import json
import os
import select
import socket
import struct
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
places = {}


def enter(namespace):
    fd = os.open(f'/run/netns/{namespace}', os.O_RDONLY)
    if libc.setns(fd, 0x40000000):
        raise OSError(ctypes.get_errno(), namespace)
    os.close(fd)


def open_place(name, namespace, device, next_mac):
    enter(namespace)
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0003))
    s.bind((device, 0))
    s.setsockopt(socket.SOL_SOCKET, 33, 2**24)
    s.setblocking(False)
    places[name] = (s, s.getsockname()[4], bytes.fromhex(next_mac.replace(':', '')))


def mac_in(p, own):
    return bytes.fromhex(p['mac'].replace(':', '')) if 'mac' in p else own


def claim(ask):
    # An answer of ARP that no one has asked for.
    s, mac, next_mac = places[ask['from']]
    addresses = mac + socket.inet_aton(ask['ip']) + next_mac + socket.inet_aton(ask['to'])
    s.send(next_mac + mac + b'\x08\x06' + struct.pack('!HHBBH', 1, 0x0800, 6, 4, 2) + addresses)


def checksum(data):
    if len(data) % 2:
        data += b'\0'
    n = sum(struct.unpack(f'!{len(data) // 2}H', data))
    while n >> 16:
        n = (n & 0xFFFF) + (n >> 16)
    return ~n & 0xFFFF


def address(text):
    return socket.inet_pton(socket.AF_INET6 if ':' in text else socket.AF_INET, text)


def header4(src, dst, number, body, n=0):
    def with_sum(c):
        return struct.pack('!BBHHHBBH', 0x45, 0, 20 + len(body), n & 0xFFFF, 0, 64, number, c) + src + dst

    return with_sum(checksum(with_sum(0))) + body


def header6(src, dst, number, body, n=0):
    return struct.pack('!IHBB', 6 << 28, len(body), number, 64) + src + dst + body


def icmp_of(q, n, mark, ends):
    src, dst, is_v6 = ends
    if q['icmpType'] in (8, 128):
        return struct.pack('!HH', n & 0xFFFF, 0) + mark
    # An error is about a packet that no one has sent.
    inner = struct.pack('!HHHH', 9, 9, 8, 0)
    return bytes(4) + (header6 if is_v6 else header4)(dst, src, 17, inner) + mark


def build(p):
    n = p['n']
    src, dst = address(p['source']), address(p['destination'])
    is_v6 = len(src) == 16
    q = p['protocol']
    mark = b'PKT:%08d' % n
    port = p.get('port', 20000 + n % 40000)

    def summed(number, body_with, counts_ends=True):
        length = len(body_with(0))
        pseudo = struct.pack('!II', length, number) if is_v6 else struct.pack('!BBH', 0, number, length)
        return body_with(checksum((src + dst + pseudo if counts_ends else b'') + body_with(0)) or 0xFFFF)

    if q['type'] == 'tcp':
        number = 6
        body = summed(6, lambda c: struct.pack('!HHIIBBHHH', port, q['port'], n, 0, 0x50, 2, 1024, c, 0) + mark)
    elif q['type'] == 'udp':
        number = 17
        body = summed(17, lambda c: struct.pack('!HHHH', port, q['port'], 8 + len(mark), c) + mark)
    elif q['type'] == 'icmp':
        number = 58 if is_v6 else 1
        rest = icmp_of(q, n, mark, (src, dst, is_v6))
        body = summed(number, lambda c: struct.pack('!BBH', q['icmpType'], q['code'], c) + rest, is_v6)
    else:
        number = p['number']
        body = mark
    return (b'\x86\xdd' if is_v6 else b'\x08\0') + (header6 if is_v6 else header4)(src, dst, number, body, n)


def source_in(frame):
    if frame[12:14] == b'\x86\xdd':
        return socket.inet_ntop(socket.AF_INET6, frame[22:38])
    return socket.inet_ntoa(frame[26:30])


def exchange(ask):
    got = {}
    missing = set(ask['expected'])
    for name in ask['order']:
        s, mac, next_mac = places[name]
        for p in ask['packets']:
            if p['from'] == name:
                s.send(next_mac + mac_in(p, mac) + build(p))
    # Those that should arrive get time on a busy machine; after them, those that should not get a moment.
    end = time.monotonic() + 10
    while True:
        left = end - time.monotonic()
        if not missing:
            left = min(left, 0.02)
        ready, _, _ = select.select([s for s, _, _ in places.values()], [], [], max(0, left))
        if not ready:
            return got
        for name, (s, mac, _) in places.items():
            if s not in ready:
                continue
            frame, sender = s.recvfrom(4096)
            at = frame.find(b'PKT:')
            if sender[2] != 4 and at >= 0 and frame[0:6] == mac:
                n = int(frame[at + 4 : at + 12])
                got[n] = [name, source_in(frame)]
                missing.discard(n)


for line in sys.stdin:
    ask = json.loads(line)
    if 'places' in ask:
        for s, _, _ in places.values():
            s.close()
        places = {}
        for place in ask['places']:
            open_place(place['name'], place['namespace'], place['device'], place['next'])
        print('{}', flush=True)
    elif 'claim' in ask:
        claim(ask['claim'])
        print('{}', flush=True)
    else:
        print(json.dumps(exchange(ask)), flush=True)
