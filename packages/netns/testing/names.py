# Questions for names, as a guest asks them, and a server that has the same answer for each.
import socket
import struct
import sys


def question(name, kind):
    labels = b''.join(bytes([len(one)]) + one.encode() for one in name.split('.'))
    return struct.pack('!HHHHHH', 7, 0x0100, 1, 0, 0, 0) + labels + b'\0' + struct.pack('!HH', kind, 1)


def read(text):
    code, count = text[3] & 15, struct.unpack('!H', text[6:8])[0]
    # Each answer has the name of the question, as two bytes.
    at = text.index(b'\0', 12) + 5
    found = []
    for _ in range(count):
        kind, length = struct.unpack('!H', text[at + 2 : at + 4])[0], struct.unpack('!H', text[at + 10 : at + 12])[0]
        family = socket.AF_INET6 if kind == 28 else socket.AF_INET
        found.append(socket.inet_ntop(family, text[at + 12 : at + 12 + length]))
        at += 12 + length
    return ' '.join([str(code), *sorted(found)])


def kind_of(server):
    return (socket.AF_INET6, 28) if ':' in server else (socket.AF_INET, 1)


def ask(server, name):
    family, kind = kind_of(server)
    s = socket.socket(family, socket.SOCK_DGRAM)
    s.settimeout(20)
    s.sendto(question(name, kind), (server, 53))
    print(read(s.recvfrom(4096)[0]))


def ask_by_tcp(server, name):
    text = question(name, kind_of(server)[1])
    s = socket.create_connection((server, 53), 20)
    s.sendall(struct.pack('!H', len(text)) + text)
    got = b''
    while len(got) < 2 or len(got) < 2 + struct.unpack('!H', got[:2])[0]:
        got += s.recv(4096)
    print(read(got[2:]))


def ask_often(server, name, count):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.settimeout(1)
    answers = 0
    for _ in range(int(count)):
        s.sendto(question(name, 1), (server, 53))
    try:
        while s.recv(4096):
            answers += 1
    except TimeoutError:
        print(answers)


def serve(address):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind(('', 53))
    print('listening', flush=True)
    while True:
        text, client = s.recvfrom(4096)
        end = text.index(b'\0', 12) + 5
        answer = b'\xc0\x0c' + struct.pack('!HHIH', 1, 1, 60, 4) + socket.inet_aton(address)
        s.sendto(text[:2] + struct.pack('!HHHHH', 0x8180, 1, 1, 0, 0) + text[12:end] + answer, client)


globals()[sys.argv[1]](*sys.argv[2:])
