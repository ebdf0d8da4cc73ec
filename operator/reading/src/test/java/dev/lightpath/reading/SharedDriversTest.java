package dev.lightpath.reading;

import static dev.lightpath.reading.Cases.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SharedDriversTest {
    private static OpticalFabric ring(String name, String created, String tls) {
        return yaml(OpticalFabric.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: %s, creationTimestamp: "%s"}
                spec:
                  ocsTrx: {shape: Ring, reach: 2, gpusPerNode: 4, positions: 8, driver: {endpoint: "driver:9440"%s}}
                """.formatted(name, created, tls));
    }

    private static OpticalSwitch device(String name, String tls) {
        return yaml(OpticalSwitch.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalSwitch
                metadata: {name: %s}
                spec: {fabric: spine, driver: {endpoint: "driver:9440", deviceId: a%s}, wiring: {striped: {firstIngress: 1, portsPerPod: 2}}}
                """.formatted(name, tls));
    }

    private static final String MINE = ", tls: {secretName: mine}";
    private static final String YOURS = ", tls: {secretName: yours}";

    @Test
    void twoFabricsWithDifferentSecretsAtOneDriverAreToldOfEachOther() {
        var refused = SharedDrivers.refused(
                List.of(ring("new", "2026-02-02T00:00:00Z", YOURS), ring("old", "2026-01-01T00:00:00Z", MINE)),
                List.of());
        assertThat(refused).containsOnlyKeys("new");
        assertThat(refused.get("new"))
                .startsWith(
                        "driver driver:9440 is named by fabric old with Secret mine and by fabric new with Secret yours")
                .hasLineCount(1);
    }

    @Test
    void plaintextIsNoSecretOfAnybody() {
        assertThat(SharedDrivers.refused(
                        List.of(ring("new", "2026-02-02T00:00:00Z", ""), ring("old", "2026-01-01T00:00:00Z", MINE)),
                        List.of()))
                .containsOnlyKeys("new");
    }

    @Test
    void whoeverNamesTheSameSecretIsServed() {
        assertThat(SharedDrivers.refused(
                        List.of(ring("new", "2026-02-02T00:00:00Z", MINE), ring("old", "2026-01-01T00:00:00Z", MINE)),
                        List.of()))
                .isEmpty();
    }

    @Test
    void aFabricOfSwitchesThatContradictsItselfIsNamedWithThem() {
        OpticalFabric spine = yaml(OpticalFabric.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: spine}
                spec: {ocs: {circuitGbps: 400, gpusPerNode: 8, pods: [], topology: {logical: {}}}}
                """);
        var refused = SharedDrivers.refused(List.of(spine), List.of(device("b", YOURS), device("a", MINE)));
        assertThat(refused.get("spine"))
                .contains("switch a of fabric spine with Secret mine", "switch b of fabric spine");
    }
}
