"""Holds a ring of reach 2 and what ranks of a training saw of it against the record of their light.

compare.py RECORD TRUTH [RESULTS]: a FabricSlice and the emulator's ground truth as JSON, and the folder of rank-N.json
(operator/app/src/test/resources/training/train.py writes them). It prints one line for each rank, and ends with 1 at the
first difference. Without RESULTS only the hardware is held against the record.
"""

import json
import pathlib
import sys

# InfinitePOD, the port map of K = 2: the path to the node so many positions on
PATH = {1: ("b1", "path1"), 2: ("b1", "path2"), -1: ("b0", "path1"), -2: ("b0", "path2")}

record = json.loads(pathlib.Path(sys.argv[1]).read_text())
devices = json.loads(pathlib.Path(sys.argv[2]).read_text())["devices"]
results = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
truth = {}  # the path that each bundle really takes: {("n5", "b2"): "path1"}
for device in devices:
    for circuit in device.get("circuits", []):
        bundle, path = circuit["egress"].split(".", 1)
        truth[device["deviceId"], bundle] = path
groups = [group["nodes"] for group in record["status"]["allocation"]["groups"]]
world = sum(len(group) for group in groups)


def demand(rank, what, seen, wanted):
    if seen != wanted:
        sys.exit(f"rank {rank}: {what} is {seen}, wanted {wanted}")


def path_between(node, other):
    """Bundle and path of a node to another, the shorter way round."""
    around = len(devices)
    hop = (int(other[1:]) - int(node[1:])) % around
    return PATH[hop if hop <= around // 2 else hop - around]


def verify_rank(rank, node, first, group, wanted):
    seen = json.loads((results / f"rank-{rank}.json").read_text())
    light = seen["light"]
    demand(rank, "the size of the world", seen["world"], world)
    demand(rank, "its rank", seen["rank"], rank)
    demand(rank, "the rank of its pod", seen["nodeRank"], rank)
    demand(rank, "the rank in light.json", light["rank"], rank)
    demand(rank, "the node in light.json", light["node"], node)
    demand(rank, "the sum along the light", seen["groupSum"], sum(range(first + 1, first + len(group) + 1)))
    demand(rank, "the sum of all", seen["worldSum"], world * (world + 1) / 2)
    neighbours = {
        each["side"]: (each["node"], each["rank"], f"b{each['bundle']}", f"path{each['path']}")
        for each in light["ring"]["groups"][0]["neighbours"]
    }
    demand(rank, "what light.json says of its neighbours", neighbours, wanted)
    told = [f"{bundle}.{path} to rank {other} on {at}" for at, other, bundle, path in wanted.values()]
    print(f"rank {rank} on {node}: {', '.join(told)}; revision {light['ring']['revision']}")


first = 0
for group in groups:
    for member, node in enumerate(group):
        rank = first + member
        wanted = {}
        for side, other in (("left", member - 1), ("right", member + 1)):
            if 0 <= other < len(group):
                bundle, path = path_between(node, group[other])
                demand(rank, f"what the hardware does with {node}/{bundle}", truth.get((node, bundle)), path)
                wanted[side] = (group[other], first + other, bundle, path)
        if results:
            verify_rank(rank, node, first, group, wanted)
    first += len(group)
