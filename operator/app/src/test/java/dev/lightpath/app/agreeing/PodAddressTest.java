package dev.lightpath.app.agreeing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.net.InetAddress;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Only a pod of the job is called, and only at an address that no node and no machine has. */
class PodAddressTest {
    private static final HookQuestion QUESTION =
            new HookQuestion("team-a", "llm", "llm-spine-1", 6, "llm-0", "n1", 8471, "/light", "{}");
    private static final Set<InetAddress> API_SERVER = Set.of(InetAddress.ofLiteral("10.96.0.1"));

    private static PodBuilder pod(String address) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("llm-0")
                .endMetadata()
                .withNewSpec()
                .withNodeName("n1")
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .withPodIP(address)
                .withHostIP("192.168.7.4")
                .endStatus();
    }

    private static String refusal(Pod pod) {
        return ((PodAddress.None) PodAddress.of(pod, QUESTION, API_SERVER)).why();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.244.3.7", "192.168.9.9", "100.64.0.9", "fd00:10:244::7", "2001:db8::7"})
    void aRunningPodIsCalledAtItsOwnAddress(String address) {
        assertThat(PodAddress.of(pod(address).build(), QUESTION, API_SERVER))
                .isEqualTo(new PodAddress.At(InetAddress.ofLiteral(address)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.8.9.1",
                "::1",
                "::ffff:127.0.0.1",
                "169.254.169.254",
                "fe80::1",
                "fe80::1%eth0",
                "0.0.0.0",
                "0.1.2.3",
                "::",
                "224.0.0.1",
                "ff02::1",
                "255.255.255.255",
                "10.96.0.1",
                "192.168.7.4",
                "localhost",
                "metadata.example.com",
                "10.244.3.7/../x"
            })
    void anAddressThatIsNotThePodsAloneIsNeverCalled(String address) {
        assertThat(refusal(pod(address).build())).isEqualTo("its address is not one that a pod can have alone");
    }

    @Test
    void aPodOfTheHostNetworkIsNotCalled() {
        assertThat(refusal(pod("192.168.7.5")
                        .editSpec()
                        .withHostNetwork(true)
                        .endSpec()
                        .build()))
                .isEqualTo("it has hostNetwork, and no hook is called at the address of a node");
        assertThat(refusal(pod("192.168.7.6")
                        .editStatus()
                        .addNewHostIP("192.168.7.6")
                        .endStatus()
                        .build()))
                .isEqualTo("its address is not one that a pod can have alone");
    }

    @ParameterizedTest
    @CsvSource({"Pending, it does not run", "Succeeded, it does not run", "Failed, it does not run"})
    void aPodThatDoesNotRunIsNotCalled(String phase, String why) {
        assertThat(refusal(pod("10.244.3.7")
                        .editStatus()
                        .withPhase(phase)
                        .endStatus()
                        .build()))
                .isEqualTo(why);
    }

    @Test
    void aPodThatIsGoneOrElsewhereOrHasNoAddressIsNotCalled() {
        assertThat(refusal(null)).isEqualTo("it is gone");
        assertThat(refusal(pod("10.244.3.7")
                        .editMetadata()
                        .withDeletionTimestamp("2026-01-01T00:00:00Z")
                        .endMetadata()
                        .build()))
                .isEqualTo("it does not run");
        assertThat(refusal(pod("10.244.3.7")
                        .editSpec()
                        .withNodeName("n2")
                        .endSpec()
                        .build()))
                .isEqualTo("it is not at the node of its rank");
        assertThat(refusal(pod(null).build())).isEqualTo("it has no address yet");
        assertThat(refusal(pod("10.244.3.7").withStatus(null).build())).isEqualTo("it does not run");
    }
}
