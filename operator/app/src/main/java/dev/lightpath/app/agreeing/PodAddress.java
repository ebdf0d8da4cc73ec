package dev.lightpath.app.agreeing;

import io.fabric8.kubernetes.api.model.HostIP;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a pod is called: at its own address, as its kubelet told it. No address that a node or every machine has is
 * that of a pod.
 */
sealed interface PodAddress {
    record At(InetAddress address) implements PodAddress {}

    /** @param why in one line */
    record None(String why) implements PodAddress {}

    /**
     * @param pod as the API server has it; null where it is gone
     * @param never addresses that are not called, whoever names them
     */
    static PodAddress of(@Nullable Pod pod, HookQuestion question, Set<InetAddress> never) {
        if (pod == null) {
            return new None("it is gone");
        }
        @Nullable PodStatus status = pod.getStatus();
        if (status == null
                || !"Running".equals(status.getPhase())
                || pod.getMetadata().getDeletionTimestamp() != null) {
            return new None("it does not run");
        }
        if (!question.node().equals(pod.getSpec().getNodeName())) {
            return new None("it is not at the node of its rank");
        }
        if (Boolean.TRUE.equals(pod.getSpec().getHostNetwork())) {
            return new None("it has hostNetwork, and no hook is called at the address of a node");
        }
        if (status.getPodIP() == null || status.getPodIP().isEmpty()) {
            return new None("it has no address yet");
        }
        Optional<InetAddress> own = literal(status.getPodIP());
        boolean hosts = Stream.concat(
                        Stream.ofNullable(status.getHostIP()),
                        status.getHostIPs() == null
                                ? Stream.empty()
                                : status.getHostIPs().stream().map(HostIP::getIp))
                .filter(Objects::nonNull)
                .anyMatch(host -> literal(host).equals(own));
        return own.filter(address -> !hosts && isOfAPod(address) && !never.contains(address))
                .<PodAddress>map(At::new)
                .orElseGet(() -> new None("its address is not one that a pod can have alone"));
    }

    /** Never looks up a name. */
    static Optional<InetAddress> literal(String text) {
        try {
            return text.contains("%") ? Optional.empty() : Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException none) {
            return Optional.empty();
        }
    }

    private static boolean isOfAPod(InetAddress address) {
        return !address.isLoopbackAddress()
                && !address.isLinkLocalAddress()
                && !address.isAnyLocalAddress()
                && !address.isMulticastAddress()
                && !(address instanceof Inet4Address && isNoHost(address.getAddress()));
    }

    /** 0.0.0.0/8 is this machine, and what is from 240.0.0.0 is reserved, with the broadcast address. */
    private static boolean isNoHost(byte[] bytes) {
        int first = Byte.toUnsignedInt(bytes[0]);
        return first == 0 || first >= 240;
    }
}
