"""Reads the circuits of a switch with a client that nobody here wrote, pygnmi, and prints them: 1A->1B tuned tuned."""

import sys

from pygnmi.client import gNMIclient

host, port, user, password_file, table = sys.argv[1:]
with open(password_file, encoding="ascii") as file:
    password = file.read().strip()
with gNMIclient(target=(host, int(port)), username=user, password=password, insecure=True) as client:
    answer = client.get(path=[table], encoding="json_ietf")
for notification in answer["notification"]:
    for update in notification.get("update", []):
        for inside in update["val"].values():
            for row in inside.get("OCS_CROSS_CONNECT_LIST", []):
                states = [row[leaf] for leaf in ("a_side_status", "b_side_status") if leaf in row]
                print(row["a_side"] + "->" + row["b_side"], *states)
