# Commands for guests and strangers: an echo request that must not be broken up, a TCP connection, and a forged packet of VXLAN.
# Addresses are of IPv4 or IPv6.
import socket
import struct
import sys


def checksum(data):
    if len(data) % 2:
        data += b'\0'
    n = sum(struct.unpack(f'!{len(data) // 2}H', data))
    while n >> 16:
        n = (n & 0xFFFF) + (n >> 16)
    return ~n & 0xFFFF


def is_v6(address):
    return ':' in address


def echo_request(size, kind=8, pseudo=b''):
    body = struct.pack('!HH', 77, 1) + bytes(size)
    return struct.pack('!BBH', kind, 0, checksum(pseudo + struct.pack('!BBH', kind, 0, 0) + body)) + body


def silent(address, size):
    # A moment is enough: what passes takes less than a millisecond.
    echo(address, size, 0.3)


def echo(address, size, longest=15):
    if is_v6(address):
        return echo6(address, size, longest)
    s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    s.setsockopt(socket.IPPROTO_IP, 10, 3)
    s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
    s.settimeout(longest)
    s.sendto(echo_request(int(size)), (address, 0))
    try:
        got = s.recv(4096)[20:]
    except TimeoutError:
        return print('no answer')
    print('answered' if got[0] == 0 else f'type {got[0]} code {got[1]} mtu {struct.unpack("!H", got[6:8])[0]}')


def echo6(address, size, longest):
    s = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)
    # Only answers and errors, not the questions of neighbours.
    passed = bytearray(b'\xff' * 32)
    for kind in (1, 2, 3, 4, 129):
        passed[kind // 8 // 4 * 4 + kind // 8 % 4] &= ~(1 << kind % 8)
    s.setsockopt(socket.IPPROTO_ICMPV6, 1, bytes(passed))
    s.setsockopt(socket.IPPROTO_IPV6, 23, 3)
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 0)
    s.settimeout(longest)
    s.sendto(echo_request(int(size), 128), (address, 0))
    try:
        got = s.recv(4096)
    except TimeoutError:
        return print('no answer')
    print('answered' if got[0] == 129 else f'type {got[0]} code {got[1]} mtu {struct.unpack("!I", got[4:8])[0]}')


def serve(port):
    s = socket.create_server(('', int(port)), family=socket.AF_INET6, dualstack_ipv6=True)
    print('listening', flush=True)
    one, address = s.accept()
    one.sendall(f'hello {address[0].removeprefix("::ffff:")} {len(read_all(one))}'.encode())


def read_all(one):
    got = b''
    while part := one.recv(65536):
        got += part
    return got


def call(address, port, size):
    s = socket.create_connection((address, int(port)), 20)
    s.sendall(bytes(int(size)))
    s.shutdown(socket.SHUT_WR)
    print(read_all(s).decode())


def talk(address, port):
    s = socket.create_connection((address, int(port)), 60)
    for line in sys.stdin:
        s.sendall(line.encode())
        print(s.recv(100).decode(), end='', flush=True)


def packet4(source, destination):
    inner = echo_request(8)

    def header(c):
        ends = socket.inet_aton(source) + socket.inet_aton(destination)
        return struct.pack('!BBHHHBBH', 0x45, 0, 20 + len(inner), 1, 0, 64, 1, c) + ends

    return b'\x08\0' + header(checksum(header(0))) + inner


def packet6(source, destination):
    ends = socket.inet_pton(socket.AF_INET6, source) + socket.inet_pton(socket.AF_INET6, destination)
    inner = echo_request(8, 128, ends + struct.pack('!II', 16, 58))
    return b'\x86\xdd' + struct.pack('!IHBB', 6 << 28, len(inner), 58, 64) + ends + inner


def forge(to, vni, source, destination, mac):
    packet = (packet6 if is_v6(destination) else packet4)(source, destination)
    frame = bytes.fromhex(mac.replace(':', '')) + bytes.fromhex('020000000009') + packet
    vxlan = struct.pack('!II', 0x08000000, int(vni) << 8)
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.sendto(vxlan + frame, (to, 4789))


def option(kind, body):
    return struct.pack('!HH', kind, len(body)) + body


def lease6(client):
    # Solicits an address, which is given at once.
    s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    s.bind(('::', 546))
    s.settimeout(20)
    ask = option(1, client.encode()) + option(3, struct.pack('!III', 1, 0, 0)) + option(14, b'') + option(8, b'\0\0')
    s.sendto(b'\x01\0\0\x07' + ask, ('ff02::1:2', 547, 0, socket.if_nametoindex('eth0')))
    answer = s.recv(4096)
    at = answer.find(struct.pack('!HH', 5, 24))
    print(socket.inet_ntop(socket.AF_INET6, answer[at + 4 : at + 20]) if at >= 0 else 'no address')


def ask_as_many(mac, router_mac, router):
    # Each of them says which MAC address it has.
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    s.bind(('eth0', 0))
    own, to = (bytes.fromhex(one.replace(':', '')) for one in (mac, router_mac))
    target = socket.inet_pton(socket.AF_INET6, router)
    for n in range(1, 600):
        source = socket.inet_pton(socket.AF_INET6, f'fe80::{n:x}')
        body = bytes(4) + target + b'\x01\x01' + own
        pseudo = source + target + struct.pack('!II', 32, 58)
        sum_of = checksum(pseudo + b'\x87\0\0\0' + body)
        header = struct.pack('!IHBB', 6 << 28, 32, 58, 255) + source + target
        s.send(to + own + b'\x86\xdd' + header + struct.pack('!BBH', 135, 0, sum_of) + body)


globals()[sys.argv[1]](*sys.argv[2:])
