"""Stands for a training program: says what each rank sees of its light, and reduces along it.

The sum over a tensor group goes from neighbour to neighbour, as light.json names them, and never past one. So it is
right only if the circuits of the group join its ranks in their order.
"""

import datetime
import json
import os
import pathlib
import time

import torch
import torch.distributed as dist


def neighbour(group, side):
    return next((each["rank"] for each in group["neighbours"] if each["side"] == side), None)


def reduced(value, left, right):
    """Sums up to the right end, and hands the sum back to the left."""
    total = torch.tensor([float(value)])
    if left is not None:
        before = torch.zeros(1)
        dist.recv(before, src=left)
        total += before
    if right is not None:
        dist.send(total, dst=right)
        dist.recv(total, src=right)
    if left is not None:
        dist.send(total, dst=left)
    return total.item()


dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=60))
rank = dist.get_rank()
results = pathlib.Path(os.environ["RESULTS"])
light = json.loads(pathlib.Path(os.environ["LIGHTPATH_FILE"]).read_text())
group = light["ring"]["groups"][0]
along_the_light = reduced(rank + 1, neighbour(group, "left"), neighbour(group, "right"))
everywhere = torch.tensor([float(rank + 1)])
dist.all_reduce(everywhere)
seen = {
    "rank": rank,
    "world": dist.get_world_size(),
    "nodeRank": int(os.environ["GROUP_RANK"]),
    "attempt": os.environ["LIGHTPATH_ATTEMPT"],
    "groupSum": along_the_light,
    "worldSum": everywhere.item(),
    "light": light,
}
unfinished = results / f"rank-{rank}.part"
unfinished.write_text(json.dumps(seen))
unfinished.rename(results / f"rank-{rank}.json")

stop = torch.zeros(1)
while stop.item() == 0:
    time.sleep(0.2)
    stop = torch.tensor([1.0 if (results / "stop").exists() else 0.0])
    dist.all_reduce(stop)
dist.destroy_process_group()
