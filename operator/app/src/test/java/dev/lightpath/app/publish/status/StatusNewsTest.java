package dev.lightpath.app.publish.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.opticalswitch.OpticalSwitchStatus;
import dev.lightpath.crds.slice.FabricSliceStatus;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

class StatusNewsTest {
    private static final String CONDITION = "{type: Ready, status: 'True', reason: AllWell, message: all is well}";

    private final KubernetesSerialization yaml = new KubernetesSerialization();

    @Test
    void eachFieldOfAFabricButHowLightFares() {
        assertThat(quiet(OpticalFabricStatus.class, StatusNews::isNews, """
                observedGeneration: 3
                conditions: [%s]
                nodes: {total: 4}
                gpus: {total: 32}
                circuits: {planned: 2}
                driver: {connected: true}
                positions: 4
                quarantinedPorts: [n1/b0.path1]
                faults: [{subject: n1, reason: DeviceFailed}]
                adopted: true
                ledger: {revision: 2}
                opticalHealth: {watchedPorts: 8}
                """.formatted(CONDITION)))
                .containsExactly("opticalHealth");
    }

    @Test
    void eachFieldOfASwitch() {
        assertThat(quiet(OpticalSwitchStatus.class, StatusNews::isNews, """
                observedGeneration: 3
                conditions: [%s]
                device: {vendor: V}
                observed: {circuits: 2}
                ports: {total: 4}
                discovery: {asked: all}
                """.formatted(CONDITION)))
                .isEmpty();
    }

    @Test
    void eachFieldOfASliceButItsAllocation() {
        assertThat(quiet(FabricSliceStatus.class, StatusNews::isNews, """
                observedGeneration: 3
                conditions: [%s]
                allocation: {revision: 2}
                programmed: {revision: 2}
                placement: {fabricPods: 1}
                outlook: Wider
                observedRevision: 2
                preemptor: team/job
                """.formatted(CONDITION)))
                .containsExactly("allocation");
    }

    /** What of a status may come without being told. */
    private <T extends Record> SortedSet<String> quiet(Class<T> type, BiPredicate<T, T> isNews, String text) {
        ObjectNode whole = yaml.convertValue(yaml.unmarshal(text, Object.class), ObjectNode.class);
        assertThat(whole.fieldNames())
                .toIterable()
                .as("all fields")
                .containsExactlyInAnyOrder(Arrays.stream(type.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toArray(String[]::new));
        T after = yaml.convertValue(whole, type);
        assertThat(isNews.test(after, after)).as("the same").isFalse();
        SortedSet<String> quiet = new TreeSet<>();
        whole.fieldNames().forEachRemaining(field -> {
            T before = yaml.convertValue(whole.deepCopy().without(field), type);
            assertThat(before).as("without %s", field).isNotEqualTo(after);
            if (!isNews.test(before, after)) {
                quiet.add(field);
            }
        });
        return quiet;
    }
}
