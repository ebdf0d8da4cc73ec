package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The NETCONF adapter where the device, or the way to it, is not as it should be. */
final class NetconfDriverTest extends ManagedTrial {
    private static final String CANDIDATE = "base: \"1.1\", datastore: candidate";

    private NetconfPlant plant(String device, String netconf) throws Exception {
        NetconfPlant plant = new NetconfPlant(directory, device, netconf);
        open.add(plant);
        return plant;
    }

    private static AdapterConfig only(NetconfDevice device) {
        return new AdapterConfig.NetconfPolatis(List.of(device));
    }

    private static NetconfDevice changed(
            NetconfDevice of, int port, Path password, String hostKey, String size, String revision) {
        return new NetconfDevice(
                of.id(),
                of.host(),
                port,
                of.user(),
                Optional.of(password),
                Optional.empty(),
                hostKey,
                size,
                revision,
                of.poll());
    }

    @Test
    void aWrongHostKeyIsOneLineAndIsShownNoPassword() throws Exception {
        NetconfDevice right = plant("ports: 16", CANDIDATE).device();
        String other = "SHA256:" + "A".repeat(43);
        leavesAloneAndSays(
                only(changed(right, right.port(), right.passwordFile().orElseThrow(), other, "", "")),
                "the host key is " + right.hostKey() + ", but driver.yaml names " + other);
    }

    @Test
    void aWrongPasswordIsOneLine() throws Exception {
        NetconfDevice right = plant("ports: 16", CANDIDATE).device();
        Path wrong = Files.writeString(directory.resolve("wrong"), "s3cr3t-but-wrong");
        leavesAloneAndSays(
                only(changed(right, right.port(), wrong, right.hostKey(), "", "")),
                "No more authentication methods available");
    }

    @Test
    void aRevisionThatNobodyKnowsIsOneLineUnlessItIsNamed() throws Exception {
        NetconfDevice right =
                plant("ports: 16", CANDIDATE + ", revision: 2031-01-01").device();
        Path password = right.passwordFile().orElseThrow();
        leavesAloneAndSays(
                only(right), "revision 2031-01-01 of module optical-switch is unknown; allowed are those up to");
        awaitPresent(driver2(changed(right, right.port(), password, right.hostKey(), "", "2031-01-01")));
    }

    private ManagedChannel driver2(NetconfDevice device) throws Exception {
        open.removeLast().close();
        open.removeLast().close();
        return driver(only(device));
    }

    @Test
    void aDeviceOfAnotherSizeIsOneLine() throws Exception {
        NetconfDevice right = plant("ports: 16, twoSided: true", CANDIDATE).device();
        leavesAloneAndSays(
                only(changed(right, right.port(), right.passwordFile().orElseThrow(), right.hostKey(), "16xCC", "")),
                "the device is a E8x8, but driver.yaml names size 16xCC");
    }

    @Test
    void manyCircuitsAreOneEditAndOneCommit() throws Exception {
        NetconfPlant plant = plant("ports: 128", CANDIDATE);
        try (CutProxy proxy = new CutProxy(plant.port())) {
            ManagedChannel driver = driver(only(at(plant, proxy)));
            awaitPresent(driver);
            ApplyCircuitsRequest.Builder many = request("many");
            for (int i = 1; i <= 64; i++) {
                many.addConnects(Requests.key(i + "->" + (64 + i)));
            }
            assertThat(apply(driver, many.build()).getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
            assertThat(plant.truth()).hasSize(64);
            assertThat(plant.front().commits()).isEqualTo(1);
        }
    }

    @Test
    void aSessionThatIsCutAnywhereInAChangeMovesNoCircuitTwice() throws Exception {
        NetconfPlant plant = plant("ports: 16", CANDIDATE);
        try (CutProxy proxy = new CutProxy(plant.port())) {
            movesNoCircuitTwice(
                    plant, proxy, driver(only(at(plant, proxy))), 4000, Set.of(List.of(), List.of("1->9", "2->10")));
        }
    }

    private static NetconfDevice at(NetconfPlant plant, CutProxy proxy) {
        NetconfDevice right = plant.device();
        return changed(right, proxy.port(), right.passwordFile().orElseThrow(), right.hostKey(), "", "");
    }
}
