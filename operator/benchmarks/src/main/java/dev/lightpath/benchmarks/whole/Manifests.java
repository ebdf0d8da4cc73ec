package dev.lightpath.benchmarks.whole;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is written for a size, as YAML. */
final class Manifests {
    /** A fault is over after so much health. */
    static final int CLEAR_SECONDS = 1;

    /** Of the jobs whose light is measured. */
    static final String NAMESPACE = "default";

    private Manifests() {}

    static String scenario(Size size, int port) {
        StringBuilder yaml = new StringBuilder(
                "listen: 127.0.0.1:%d\nhttp: none\nseed: 1\nring: {nodes: %d, reach: 3, shape: ring, namePrefix: n}\n"
                        .formatted(port, size.nodes()));
        if (size.pods() == 0) {
            return yaml.toString();
        }
        yaml.append("devices:\n  - {id: pod-, count: %d, kind: endpoints, ports: %d}\n"
                .formatted(size.pods(), Size.SWITCHES * Size.PORTS));
        yaml.append("  - {id: ocs-, count: %d, kind: switch, ports: %d, twoSided: true, preset: mems}\nfibres:\n"
                .formatted(Size.SWITCHES, 2 * egress(size)));
        for (int pod = 0; pod < size.pods(); pod++) {
            for (int end = 0; end < Size.SWITCHES * Size.PORTS; end++) {
                int port1 = 1 + pod * Size.PORTS + end % Size.PORTS;
                yaml.append("  - {from: pod-%d/%d, to: ocs-%d/%d}\n".formatted(pod, end + 1, end / Size.PORTS, port1));
                yaml.append("  - {from: ocs-%d/%d, to: pod-%d/%d}\n"
                        .formatted(end / Size.PORTS, egress(size) + port1, pod, end + 1));
            }
        }
        return yaml.toString();
    }

    private static int egress(Size size) {
        return size.pods() * Size.PORTS;
    }

    /** About as large as a kubelet writes them. */
    static String node(Size size, int node) {
        String images = IntStream.range(0, 25)
                .mapToObj(image ->
                        "{names: [\"registry.example/library/image-%d@sha256:%064x\", \"registry.example/library/image-%d:1.%d\"], sizeBytes: %d}"
                                .formatted(image, image * 7919L, image, image, 100_000_000 + image))
                .collect(Collectors.joining(", "));
        String pod = size.pods() == 0 ? "" : ", lightpath.dev/pod: pod-" + node * size.pods() / size.nodes();
        return """
                apiVersion: v1
                kind: Node
                metadata:
                  name: n%1$d
                  labels: {lightpath.dev/ring: ring-a, lightpath.dev/ring-position: "%1$d"%2$s, kubernetes.io/hostname: n%1$d, kubernetes.io/arch: amd64, kubernetes.io/os: linux, topology.kubernetes.io/zone: z1, node.kubernetes.io/instance-type: gpu-%5$d}
                  annotations: {node.alpha.kubernetes.io/ttl: "0", volumes.kubernetes.io/controller-managed-attach-detach: "true"}
                spec: {unschedulable: %3$s, podCIDR: 10.1.0.0/24, providerID: "cloud:///z1/n%1$d"}
                status:
                  capacity: {cpu: "192", memory: 2000Gi, ephemeral-storage: 7000Gi, pods: "110", nvidia.com/gpu: "%5$d"}
                  allocatable: {cpu: "190", memory: 1990Gi, ephemeral-storage: 6500Gi, pods: "110", nvidia.com/gpu: "%5$d"}
                  addresses: [{type: InternalIP, address: 10.0.0.1}, {type: Hostname, address: n%1$d}]
                  conditions:
                    - {type: MemoryPressure, status: "False", reason: KubeletHasSufficientMemory, message: kubelet has sufficient memory available}
                    - {type: DiskPressure, status: "False", reason: KubeletHasNoDiskPressure, message: kubelet has no disk pressure}
                    - {type: PIDPressure, status: "False", reason: KubeletHasSufficientPID, message: kubelet has sufficient PID available}
                    - {type: GpuMemWatch, status: "False", reason: GpuMemWatchIsHealthy, message: No health failures}
                    - {type: Ready, status: "True", reason: KubeletReady, message: kubelet is posting ready status}
                  nodeInfo: {machineID: m%1$d, systemUUID: u%1$d, bootID: b%1$d, kernelVersion: 6.8.0, osImage: Linux, containerRuntimeVersion: "containerd://2.1.0", kubeletVersion: v1.36.1, kubeProxyVersion: v1.36.1, operatingSystem: linux, architecture: amd64}
                  images: [%4$s]
                """.formatted(node, pod, size.isSpare(node), images, size.gpusPerNode());
    }

    static String ring(Size size, int driverPort) {
        return """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: ring-a}
                spec:
                  ocsTrx:
                    shape: Ring
                    reach: 3
                    gpusPerNode: %d
                    positions: %d
                    nodeSelector: {matchLabels: {lightpath.dev/ring: ring-a}}
                    driver: {endpoint: "127.0.0.1:%d"}
                  policy: {faults: {clearSeconds: %d}, massFailure: {percent: 100}%s}
                """.formatted(size.gpusPerNode(), size.nodes(), driverPort, CLEAR_SECONDS, quota(size, 128));
    }

    static String spine(Size size) {
        String pods = IntStream.range(0, size.pods())
                .mapToObj(pod -> "{name: pod-%d, index: %d, ports: %d, gpus: %d}"
                        .formatted(pod, pod, Size.SWITCHES * Size.PORTS, size.podGpus()))
                .collect(Collectors.joining(", "));
        return """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: spine}
                spec:
                  ocs: {gpusPerNode: %d%s, topology: {logical: {}}, pods: [%s]}
                  policy: {faults: {clearSeconds: %d}, massFailure: {percent: 100}%s%s}
                """.formatted(
                        size.gpusPerNode(),
                        size.isSearches() ? ", circuitGbps: 200" : "",
                        pods,
                        CLEAR_SECONDS,
                        size.isSearches() ? ", search: {maxSeconds: 3600}" : "",
                        quota(size, 256));
    }

    /** An administrator leaves the others room: what is measured is not who has which node. */
    private static String quota(Size size, int gpus) {
        return size.isHostile()
                ? ", quota: {namespaces: [{name: " + HostileNamespace.NAME + ", gpus: " + gpus + "}]}"
                : "";
    }

    static String opticalSwitch(Size size, int number, int driverPort) {
        return """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalSwitch
                metadata: {name: ocs-%d}
                spec:
                  fabric: spine
                  driver: {endpoint: "127.0.0.1:%d", deviceId: ocs-%d}
                  wiring: {striped: {firstIngress: 1, firstEgress: %d, portsPerPod: %d}}
                """.formatted(number, driverPort, number, 1 + egress(size), Size.PORTS);
    }

    /** Groups of four nodes on the ring. */
    static String ringJob(Size size, String name, int groups) {
        return job(
                name,
                "parallelism: {tensor: %d, data: %d}, scaleUp: {fabric: ring-a}".formatted(size.groupGpus(), groups));
    }

    /** Two replicas or more of eight stages of sixteen GPUs, four stages to a pod of the spine. */
    static String jobOnBoth(String name, int gpus) {
        return job(
                name,
                "parallelism: {tensor: 16, pipeline: 8, data: %d}, scaleUp: {fabric: ring-a}, scaleOut: {fabric: spine, stagesPerPod: 4}, reconfiguration: Live"
                        .formatted(gpus / (16 * 8)));
    }

    /**
     * One whose circuits are searched for much longer than the benchmark takes: it has many tasks under fair rates, so
     * that no proof is near.
     *
     * @param microBatches another number asks another question; the answer to the same one is shared
     */
    static String searchingJob(String namespace, int microBatches) {
        return """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: searching, namespace: %s}
                spec:
                  model: {preset: megatron-462b}
                  parallelism: {tensor: 4, pipeline: 16, data: 2}
                  microBatches: %d
                  scaleOut: {fabric: spine, stagesPerPod: 4, rates: Fair, timeLimitSeconds: 3600}
                """.formatted(namespace, microBatches);
    }

    /** Groups of four nodes on the ring, for pods that are made apart. Nodes that fail are replaced under them. */
    static String jobOfPods(Size size, String name, int pods) {
        return job(
                name,
                "parallelism: {tensor: %d, data: %d}, scaleUp: {fabric: ring-a}, recovery: {replace: Immediately}, workload: {ref: {apiVersion: v1, kind: Pod, name: %s}}"
                        .formatted(size.groupGpus(), pods / 4, name));
    }

    static String gatedPod(Size size, String job, int rank) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %1$s-%2$d, namespace: default, labels: {lightpath.dev/job: %1$s}}
                spec:
                  schedulingGates: [{name: lightpath.dev/circuits}]
                  containers: [{name: train, image: example/train, resources: {limits: {nvidia.com/gpu: %3$d}}}]
                """.formatted(job, rank, size.gpusPerNode());
    }

    private static String job(String name, String rest) {
        return """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default}
                spec: {model: {preset: gpt-7b}, %s}
                """.formatted(name, rest);
    }
}
