package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a user of one namespace writes ends no operator, and what once ended one is not read again. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ForeignBytesIT {
    private static final String SYSTEM = "lightpath-system";
    private static final String MARKS = "lightpath-readings";

    private Installation all;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(server, folder, 8);
        all.client
                .resource(all.client.getKubernetesSerialization().unmarshal("""
                metadata: {name: dc}
                spec:
                  ocs: {gpusPerNode: 4, topology: {logical: {}}, pods: [{name: a, index: 0, ports: 4, gpus: 16}, {name: b, index: 1, ports: 4, gpus: 16}]}
                """, OpticalFabric.class))
                .create();
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        all.delete("bomb");
        all.delete("traced");
        all.client.configMaps().inNamespace(SYSTEM).withName(MARKS).delete();
        all.close();
    }

    @Test
    @Order(1)
    void kilobytesThatWouldExpandToGigabytesAreRefusedInALine() {
        StringBuilder groups = new StringBuilder("l0: &l0 [0]\n");
        for (int level = 1; level <= 16; level++) {
            groups.append("l%1$d: &l%1$d [*l%2$d, *l%2$d, *l%2$d]\n".formatted(level, level - 1));
        }
        write(
                "bomb",
                new ConfigMapBuilder()
                        .addToData("comm_group.json", groups.toString())
                        .addToBinaryData("t.0.et", ""));
        all.eventually("the operator leads", () -> assertThat(epoch()).isNotEmpty());
        String led = epoch();
        apply("bomb", "Chakra");
        all.eventually("the job is refused", () -> {
            assertThat(all.says("bomb", "Accepted")).isEqualTo("False InvalidTraffic");
            assertThat(message("bomb"))
                    .startsWith("spec.scaleOut.traffic: ConfigMap bomb: comm_group.json: ")
                    .doesNotContain("\n");
        });
        assertThat(epoch()).as("nobody led anew").isEqualTo(led);
    }

    @Test
    @Order(2)
    void aReadingThatEndedItsOperatorIsNotBegunByTheNext() {
        record(4);
        AtomicBoolean killed = new AtomicBoolean();
        all.tap.listen(new WriteTap.Listener() {
            @Override
            public boolean before(int number, String what) {
                return true;
            }

            @Override
            public void after(int number, String what) {
                if (what.contains("/configmaps/" + MARKS) && killed.compareAndSet(false, true)) {
                    all.kill();
                }
            }
        });
        apply("traced", "AICB");
        all.eventually("the next one refuses it by name", () -> {
            assertThat(killed).isTrue();
            assertThat(all.says("traced", "Accepted")).isEqualTo("False InvalidTraffic");
            assertThat(message("traced"))
                    .startsWith(
                            "spec.scaleOut.traffic: ConfigMap traced: an operator ended while it read this content (for"
                                    + " TrainingJob default/traced at ");
        });
        all.tap.listen(WriteTap.SILENT);

        record(8);
        all.eventually(
                "another content is read",
                () -> assertThat(message("traced")).contains("workload.txt:1: pp: 8, allowed: 2"));
        record(4);
        all.eventually(
                "the same content is not",
                () -> assertThat(message("traced")).contains("an operator ended while it read this content"));
        String key = marks().getData().keySet().iterator().next();
        assertThat(message("traced")).contains("delete key " + key);
        all.client.configMaps().inNamespace(SYSTEM).withName(MARKS).edit(stored -> {
            stored.getData().remove(key);
            return stored;
        });
        all.eventually(
                "a person has it read",
                () -> assertThat(message("traced")).contains("workload.txt:1: pp: 4, allowed: 2"));
    }

    private ConfigMap marks() {
        return all.client.configMaps().inNamespace(SYSTEM).withName(MARKS).get();
    }

    private String epoch() {
        return all.client
                .configMaps()
                .inNamespace(SYSTEM)
                .withName("lightpath-epoch")
                .get()
                .getData()
                .get("epoch");
    }

    private void apply(String name, String format) {
        all.apply(
                name,
                "{model: {preset: gpt-7b}, parallelism: {tensor: 4, pipeline: 2, data: 2}, scaleOut: {fabric: dc,"
                        + " stagesPerPod: 1, traffic: {configMap: %s, format: %s}}}".formatted(name, format));
    }

    private String message(String job) {
        return all.job(job).getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals("Accepted"))
                .map(condition -> condition.getMessage())
                .findFirst()
                .orElse("");
    }

    private void record(int stages) {
        write(
                "traced",
                new ConfigMapBuilder()
                        .addToData(
                                "workload.txt",
                                "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 ep: 1 pp: " + stages
                                        + " vpp: 1 ga: 4 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 33554432.0\n1\n"
                                        + "mlp_layer\t-1\t9000000\tNONE\t0\t9000000\tNONE\t0\t9000000\tNONE\t0\t100\n"));
    }

    private void write(String name, ConfigMapBuilder content) {
        all.client
                .resource(content.withNewMetadata()
                        .withName(name)
                        .withNamespace("default")
                        .endMetadata()
                        .build())
                .serverSideApply();
    }
}
