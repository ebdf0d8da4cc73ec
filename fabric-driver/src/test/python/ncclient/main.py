"""Reads and changes the circuits of a switch with a client that nobody here wrote, ncclient.

Takes a line on standard input, and answers it with one: `read` with `ok 1->9 2->10`, `edit XML` with `ok` when the server
has made this its running configuration. What it refuses or does not answer is `failed` and why.
"""

import sys

from ncclient import manager
from ncclient.operations import RPCError

OPTICAL_SWITCH = "http://www.polatis.com/yang/optical-switch"
BASE = "urn:ietf:params:xml:ns:netconf:base:1.0"

host, port, user, password = sys.argv[1:]
session = None


def connected():
    global session
    if session is None or not session.connected:
        session = manager.connect(
            host=host,
            port=int(port),
            username=user,
            password=password,
            hostkey_verify=False,
            look_for_keys=False,
            allow_agent=False,
            timeout=60,
        )
    return session


def read(_):
    asked = f'<cross-connects xmlns="{OPTICAL_SWITCH}"/>'
    data = connected().get_config(source="running", filter=("subtree", asked)).data_ele
    pairs = data.iter(f"{{{OPTICAL_SWITCH}}}pair")
    return [pair.findtext(f"{{{OPTICAL_SWITCH}}}ingress") + "->" + pair.findtext(f"{{{OPTICAL_SWITCH}}}egress") for pair in pairs]


def edit(config):
    to = connected()
    wanted = f'<config xmlns="{BASE}">{config}</config>'
    if ":candidate" in to.server_capabilities:
        to.discard_changes()
        to.edit_config(target="candidate", config=wanted)
        to.commit()
    else:
        to.edit_config(target="running", config=wanted)
    return []


def answered(line):
    global session
    what, _, words = line.rstrip("\n").partition(" ")
    for last in (False, True):
        try:
            return ["ok", *{"read": read, "edit": edit}[what](words)]
        except RPCError as refused:
            return ["failed", str(refused)]
        except Exception as broken:  # the session of a server that was killed
            session = None
            if last:
                return ["failed", repr(broken)]


for asked in sys.stdin:
    print(*" ".join(answered(asked)).split(), flush=True)
