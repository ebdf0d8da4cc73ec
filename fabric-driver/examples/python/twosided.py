"""A complete device behind lightpath.device.v1alpha1: a switch with 12 inputs and 12 outputs.

The class Mirrors stands for the hardware; the rest is what every device's program needs. Start: target/twosided
"""

import argparse
import pathlib
import queue
import sys
import threading
import time
import uuid
from concurrent import futures

sys.path.insert(0, str(pathlib.Path(__file__).parent / "target" / "gen"))

import grpc  # noqa: E402
from lightpath.device.v1alpha1 import device_service_pb2 as device  # noqa: E402
from lightpath.device.v1alpha1 import device_service_pb2_grpc as service  # noqa: E402
from lightpath.driver.v1alpha1 import circuit_types_pb2 as circuits  # noqa: E402
from lightpath.driver.v1alpha1 import identity_service_pb2 as identity  # noqa: E402
from lightpath.driver.v1alpha1 import inventory_service_pb2 as inventory  # noqa: E402

SIDE = 12
MOVE_SECONDS = 0.005


class Mirrors:
    """The hardware: which input leads to which output. It forgets everything when it loses power."""

    def __init__(self):
        self._lock = threading.Lock()
        self._output = {}
        self.power_on_id = str(uuid.uuid4())

    def circuits(self):
        with self._lock:
            return [
                device.Circuit(
                    key=circuits.CircuitKey(ingress=i, egress=o),
                    state=circuits.CIRCUIT_STATE_CONNECTED,
                )
                for i, o in self._output.items()
            ]

    def disconnect(self, key):
        with self._lock:
            if self._output.get(key.ingress) == key.egress:
                del self._output[key.ingress]
        return device.MoveAnswer()

    def connect(self, key):
        with self._lock:
            for i, o in self._output.items():
                if (i, o) == (key.ingress, key.egress):
                    return device.MoveAnswer()
                if i == key.ingress or o == key.egress:
                    return device.MoveAnswer(
                        refused=circuits.ITEM_REASON_PORT_IN_USE,
                        native_text=f"{key.ingress} or {key.egress} is in use by {i}->{o}",
                    )
            self._output[key.ingress] = key.egress
        return device.MoveAnswer()


def description():
    ports = [inventory.Port(name=f"in{n}", side=inventory.PORT_SIDE_INGRESS) for n in range(1, SIDE + 1)]
    ports += [inventory.Port(name=f"out{n}", side=inventory.PORT_SIDE_EGRESS) for n in range(1, SIDE + 1)]
    can = identity.Capabilities(
        sidedness=identity.SIDEDNESS_TWO_SIDED,
        duplexity=identity.DUPLEXITY_SIMPLEX,
        max_batch=SIDE,
        move_concurrency=identity.MOVE_CONCURRENCY_PARALLEL,
        batch_atomicity=identity.BATCH_ATOMICITY_NONE,
        break_behaviour=identity.BREAK_BEHAVIOUR_REFUSES,
        read_back=identity.READ_BACK_HARDWARE_STATE,
        on_control_loss=identity.CIRCUIT_FATE_KEPT,
        on_management_restart=identity.CIRCUIT_FATE_LOST,
        on_power_loss=identity.CIRCUIT_FATE_LOST,
    )
    can.typical_switch_time.FromMilliseconds(int(1000 * MOVE_SECONDS))
    can.max_switch_time.FromMilliseconds(int(4000 * MOVE_SECONDS))
    return device.Description(
        kind=inventory.DEVICE_KIND_SWITCH,
        vendor="Example",
        model=f"two-{SIDE}x{SIDE}",
        serial="E-0002",
        firmware="1.0",
        capabilities=can,
        ports=ports,
    )


class Program(service.DeviceServiceServicer):
    def __init__(self, device_id, mirrors):
        self._id = device_id
        self._mirrors = mirrors
        self._lock = threading.Lock()
        self._streams = set()

    def Watch(self, request, context):
        changed = queue.Queue(maxsize=1)
        with self._lock:
            self._streams.add(changed)
        try:
            yield device.WatchResponse(device_id=self._id, description=description())
            yield device.WatchResponse(
                device_id=self._id,
                reading=device.Reading(power_on_id=self._mirrors.power_on_id, circuits=self._mirrors.circuits()),
            )
            yield device.WatchResponse(synced=device.Synced())
            pause = max(0.1, request.heartbeat_interval.ToTimedelta().total_seconds())
            while context.is_active():
                try:
                    changed.get(timeout=pause)
                    yield device.WatchResponse(
                        device_id=self._id, circuits=device.Circuits(circuits=self._mirrors.circuits())
                    )
                except queue.Empty:
                    yield device.WatchResponse(heartbeat=device.Heartbeat())
        finally:
            with self._lock:
                self._streams.discard(changed)

    def _tell(self):
        """Wakes every stream; one that is already awake needs no second call."""
        with self._lock:
            for changed in self._streams:
                try:
                    changed.put_nowait(True)
                except queue.Full:
                    pass

    def _known(self, device_id, context):
        if device_id != self._id:
            context.abort(grpc.StatusCode.NOT_FOUND, f"this program has no device {device_id!r}; it has {self._id!r}")

    def Read(self, request, context):
        self._known(request.device_id, context)
        return device.ReadResponse(circuits=self._mirrors.circuits())

    def Move(self, request, context):
        self._known(request.device_id, context)
        time.sleep(MOVE_SECONDS)
        answers = [
            self._mirrors.connect(item.connect)
            if item.HasField("connect")
            else self._mirrors.disconnect(item.disconnect)
            for item in request.moves
        ]
        self._tell()
        return device.MoveResponse(answers=answers)

    def Probe(self, request, context):
        self._known(request.device_id, context)
        return device.ProbeResponse()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--listen", default="127.0.0.1:9461")
    parser.add_argument("--id", default="two-1", help="name of the device")
    parser.add_argument("--tls-certificate", help="PEM file; without it plaintext")
    parser.add_argument("--tls-key", help="PEM file")
    parser.add_argument("--tls-ca", help="PEM file with the CA of the drivers")
    given = parser.parse_args()
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=16))
    service.add_DeviceServiceServicer_to_server(Program(given.id, Mirrors()), server)
    if given.tls_certificate:
        key, certificate, ca = (
            pathlib.Path(f).read_bytes() for f in (given.tls_key, given.tls_certificate, given.tls_ca)
        )
        secure = grpc.ssl_server_credentials([(key, certificate)], ca, require_client_auth=True)
        port = server.add_secure_port(given.listen, secure)
    else:
        port = server.add_insecure_port(given.listen)
    server.start()
    print(f"serving on {given.listen.rpartition(':')[0]}:{port}", flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main()
