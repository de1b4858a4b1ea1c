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
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0800))
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


def build(p):
    n = p['n']
    src, dst = socket.inet_aton(p['source']), socket.inet_aton(p['destination'])
    q = p['protocol']
    mark = b'PKT:%08d' % n
    port = p.get('port', 20000 + n % 40000)
    if q['type'] in ('tcp', 'udp'):
        number = 6 if q['type'] == 'tcp' else 17

        def body_with(c):
            if number == 6:
                return struct.pack('!HHIIBBHHH', port, q['port'], n, 0, 0x50, 2, 1024, c, 0) + mark
            return struct.pack('!HHHH', port, q['port'], 8 + len(mark), c) + mark

        pseudo = src + dst + struct.pack('!BBH', 0, number, len(body_with(0)))
        body = body_with(checksum(pseudo + body_with(0)) or 0xFFFF)
    elif q['type'] == 'icmp':
        number = 1
        inner = b''
        if q['icmpType'] != 8:
            inner = struct.pack('!BBHHHBBH4s4s', 0x45, 0, 28, 0, 0, 64, 17, 0, dst, src) + struct.pack('!HHHH', 9, 9, 8, 0)

        def icmp_with(c):
            echo = n & 0xFFFF if q['icmpType'] == 8 else 0
            return struct.pack('!BBHHH', q['icmpType'], q['code'], c, echo, 0) + inner + mark

        body = icmp_with(checksum(icmp_with(0)))
    else:
        number = p['number']
        body = mark

    def header(c):
        return struct.pack('!BBHHHBBH4s4s', 0x45, 0, 20 + len(body), n & 0xFFFF, 0, 64, number, c, src, dst)

    return header(checksum(header(0))) + body


def exchange(ask):
    got = {}
    missing = set(ask['expected'])
    for name in ask['order']:
        s, mac, next_mac = places[name]
        for p in ask['packets']:
            if p['from'] == name:
                s.send(next_mac + mac_in(p, mac) + b'\x08\0' + build(p))
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
                got[n] = [name, socket.inet_ntoa(frame[26:30])]
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
