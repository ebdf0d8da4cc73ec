"""Follows light.json of the pods of a job on a ring of real nodes, from the record to the file that a process reads.

follow.py STATE NAMESPACE JOB: STATE is the folder of a local environment. It prints "following" when it does. After
SIGTERM it prints the times from the first sight of a revision in the record to the pod's annotation, which are the
operator's, and from there to the file, which are the kubelet's. Times are those at which an event is read here, some
milliseconds late.
"""

import json
import pathlib
import signal
import statistics
import subprocess
import sys
import threading
import time

state, namespace, job = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
kubectl = [str(state / "kubectl")]
LABEL = f"lightpath.dev/job={job}"
FILE = "/var/lib/kubelet/pods/{}/volumes/kubernetes.io~downward-api/{}/light.json"
ended = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: ended.set())
records = {}  # {revision: when}
annotations, files = {}, {}  # {uid: [(when, text)]}
watches = []


def watch(*arguments):
    """Lines of a watch, until it is ended here. A watch that ends by itself ends the program."""
    command = subprocess.Popen([*kubectl, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    watches.append(command)
    yield from command.stdout
    ended.set()


def follow_records():
    for line in watch("get", "fabricslices", "-n", namespace, "-w", "-o", "jsonpath={.status.allocation.revision}{'\\n'}"):
        records.setdefault(line.strip(), time.time())


def follow_pods():
    for line in watch("get", "pods", "-n", namespace, "-l", LABEL, "-w", "-o",
                      "jsonpath={.metadata.uid} {.metadata.annotations.lightpath\\.dev/light}{'\\n'}"):
        uid, _, text = line.strip().partition(" ")
        told = annotations.setdefault(uid, [])
        if not told or told[-1][1] != text:
            told.append((time.time(), text))


def node_root(node):
    """The files of a real node, as its own processes see them."""
    first = (state / f"node-{node[1:]}.pid").read_text().strip()
    for tasks in pathlib.Path(f"/proc/{first}/task").glob("*/children"):
        for child in tasks.read_text().split():
            return f"/proc/{child}/root"
    raise SystemExit(f"follow: node {node} is off")


def follow_file(uid, at):
    seen = files.setdefault(uid, [])
    while not ended.is_set():
        try:
            text = pathlib.Path(at).read_text()
        except OSError:
            text = None
        if text is not None and (not seen or seen[-1][1] != text):
            seen.append((time.time(), text))
        time.sleep(0.005)


pods = subprocess.run([*kubectl, "get", "pods", "-n", namespace, "-l", LABEL, "-o",
                       "jsonpath={range .items[*]}{.metadata.uid} {.metadata.name} {.spec.nodeName} "
                       "{.spec.volumes[?(@.downwardAPI)].name}{'\\n'}{end}"],
                      check=True, capture_output=True, text=True).stdout.split("\n")
followed = set()
for pod in filter(None, pods):
    uid, name, node, volumes = pod.split(" ", 3)
    followed.add(uid)
    places = [node_root(node) + FILE.format(uid, volume) for volume in volumes.split()]
    at = next((place for place in places if pathlib.Path(place).exists()), None)
    if at is None:
        raise SystemExit(f"follow: pod {name} has no light.json on {node}")
    threading.Thread(target=follow_file, args=(uid, at), daemon=True).start()
for follow in (follow_records, follow_pods):
    threading.Thread(target=follow, daemon=True).start()
while not ended.is_set() and not (records and followed <= annotations.keys()):
    time.sleep(0.01)
if not ended.is_set():
    print("following", flush=True)
ended.wait()
broken = any(command.poll() is not None for command in watches)
for command in watches:
    command.kill()
if broken:
    raise SystemExit("follow: a watch ended")

to_annotation, to_file, unmatched = [], [], 0
for uid in followed:
    for when, text in files[uid][1:]:
        told = next((at for at, said in annotations[uid] if said == text), None)
        recorded = records.get(str(json.loads(text)["ring"]["revision"]))
        if told is None or recorded is None:
            unmatched += 1
            continue
        to_annotation.append(1000 * (told - recorded))
        to_file.append(1000 * (when - told))
if not to_file:
    raise SystemExit("follow: no light.json changed")


def summary(times):
    return f"{statistics.median(times):.0f} / {max(times):.0f} ms"


print(f"light.json changed {len(to_file)} times; median / longest: record to annotation {summary(to_annotation)}, "
      f"annotation to file {summary(to_file)}, both {summary([a + b for a, b in zip(to_annotation, to_file)])}"
      + (f"; {unmatched} changes were not matched" if unmatched else ""))
