package dev.lightpath.cli.cluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.cli.TestRun;
import dev.lightpath.cli.cluster.AccountKubeconfig;
import dev.lightpath.cli.cluster.change.Act;
import dev.lightpath.cli.cluster.show.Shown;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What {@code export} saved, on a real API server that lost it. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestoreIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    private KubernetesClient client;
    private Path folder;
    private Path kubeconfig;
    private Path backup;
    private FabricSlice saved;

    @BeforeAll
    void save(ApiServer server, @TempDir Path files) throws IOException {
        client = server.client();
        folder = files;
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeConfigYaml());
        ApiServer.namespace(client, "lightpath-system");
        Shown.create(client);
        Act.patch(
                client.resource(slice()),
                Map.of("metadata", Map.of("annotations", Map.of(LightpathAnnotations.ROUTED_REVISION, "1"))));
        saved = slice();
        backup = Files.writeString(folder.resolve("backup.json"), done("export").out());
    }

    @BeforeEach
    void lose() {
        client.resources(FabricSlice.class).inNamespace("default").delete();
        client.resources(TrainingJob.class).inNamespace("default").delete();
        client.resources(OpticalFabric.class).delete();
        client.leases().inNamespace("lightpath-system").delete();
        client.nodes()
                .list()
                .getItems()
                .forEach(node -> client.nodes()
                        .withName(node.getMetadata().getName())
                        .edit(now -> new NodeBuilder(now)
                                .editMetadata()
                                .withLabels(Map.of())
                                .endMetadata()
                                .build()));
    }

    @AfterAll
    void close() {
        client.close();
    }

    private TestRun run(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--kubeconfig", kubeconfig.toString()));
        return TestRun.of(all.toArray(String[]::new));
    }

    private TestRun done(String... arguments) {
        TestRun run = run(arguments);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run;
    }

    private String refused(Path file) {
        TestRun run = run("restore", file.toString());
        assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
        assertThat(run.err()).hasLineCount(1);
        return run.err();
    }

    private FabricSlice slice() {
        return client.resources(FabricSlice.class).inNamespace("default").list().getItems().stream()
                .findFirst()
                .orElse(null);
    }

    private TrainingJob job() {
        return client.resources(TrainingJob.class)
                .inNamespace("default")
                .withName("llm")
                .get();
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void theRecordIsThatOfTheJobAsItIsNow() {
        done("restore", backup.toString());
        FabricSlice slice = slice();
        assertThat(slice.getMetadata().getName()).isEqualTo(saved.getMetadata().getName());
        assertThat(slice.getSpec().job().uid()).isEqualTo(job().getMetadata().getUid());
        assertThat(slice.getStatus().allocation()).isEqualTo(saved.getStatus().allocation());
        assertThat(slice.getStatus().conditions()).isEmpty();
        assertThat(slice.getMetadata().getAnnotations())
                .as("its routes are to be set anew")
                .containsKey(LightpathAnnotations.RESTORED)
                .doesNotContainKey(LightpathAnnotations.ROUTED_REVISION);
        assertThat(job().getStatus().attempt()).isEqualTo(1);
        OpticalFabric fabric =
                client.resources(OpticalFabric.class).withName("ring-a").get();
        assertThat(fabric.getSpec().paused()).isTrue();
        assertThat(fabric.getStatus().faults()).hasSize(1);
        Node node = client.nodes().withName("n3").get();
        assertThat(node.getMetadata().getLabels())
                .containsEntry("lightpath.dev/ring-position", "3")
                .containsEntry("lightpath.dev/ring", "ring-a");
    }

    /**
     * Under all policies, with pods and a PriorityClass: the role and `edit` are all that it takes
     * (docs/reference/cli.md).
     */
    @Test
    void whoHasTheRoleForItRestoresWhatWasLost() throws IOException, InterruptedException {
        apply("users.yaml");
        for (String policy : List.of("acts", "ledger", "nodes", "operator", "pods", "slices", "use", "workloads")) {
            apply(policy + "-policy.yaml");
        }
        Path restorer = restorer();
        ObjectNode list = (ObjectNode) JSON.readTree(backup.toFile());
        list.get("items").forEach(item -> {
            if (item.get("kind").asText().equals("TrainingJob")) {
                ((ObjectNode) item.get("spec"))
                        .put("priorityClassName", "urgent")
                        .set("workload", workload());
            }
        });
        Path file = file("urgent.json", list.toString());

        TestRun run = TestRun.of("restore", file.toString(), "--kubeconfig", restorer.toString());
        // roles hold a moment after they are written, and what was written stays
        for (int tries = 0; run.exitCode() != 0 && run.err().contains("forbidden") && tries < 300; tries++) {
            Thread.sleep(100);
            run = TestRun.of("restore", file.toString(), "--kubeconfig", restorer.toString());
        }
        assertThat(run.exitCode()).as(run.err()).isZero();

        assertThat(job().getSpec().priorityClassName()).isEqualTo("urgent");
        assertThat(job().getStatus().attempt()).isEqualTo(1);
        assertThat(slice().getStatus().allocation()).isEqualTo(saved.getStatus().allocation());
        OpticalFabric fabric =
                client.resources(OpticalFabric.class).withName("ring-a").get();
        assertThat(fabric.getSpec().paused()).isTrue();
        assertThat(fabric.getStatus().faults()).hasSize(1);
        assertThat(client.nodes().withName("n3").get().getMetadata().getLabels())
                .containsEntry("lightpath.dev/ring-position", "3");
    }

    private static ObjectNode workload() {
        ObjectNode workload = JSON.createObjectNode();
        ObjectNode container = workload.putObject("template")
                .putObject("spec")
                .putArray("containers")
                .addObject()
                .put("name", "train")
                .put("image", "train");
        container.putObject("resources").putObject("limits").put("nvidia.com/gpu", 4);
        return workload;
    }

    private void apply(String file) throws IOException {
        try (InputStream yaml = Files.newInputStream(
                Path.of(System.getProperty("basedir", "."), "../../deploy/kubernetes/access", file))) {
            client.load(yaml).items().forEach(object -> client.resource(object).serverSideApply());
        }
    }

    private Path restorer() throws IOException {
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("restorer")
                        .endMetadata()
                        .build())
                .create();
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("restorer")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "lightpath-restore")
                        .addNewSubject("", "ServiceAccount", "restorer", "default")
                        .build())
                .create();
        AccountKubeconfig.bindEdit(client, "default", "restorer");
        return AccountKubeconfig.write(client, "default", "restorer", folder.resolve("restorer.kubeconfig"))
                .file();
    }

    /** The part belongs to the slice as it is now, and counts once the slice names it. */
    @Test
    void aRecordInPartsIsRestoredWhole() throws IOException {
        ObjectNode list = (ObjectNode) JSON.readTree(backup.toFile());
        ArrayNode items = (ArrayNode) list.get("items");
        ObjectNode whole = null;
        for (JsonNode item : items) {
            if (item.get("kind").asText().equals("FabricSlice")) {
                whole = (ObjectNode) item;
            }
        }
        String name = SliceParts.name(saved.getMetadata().getName(), 2, 1);
        ObjectNode part = whole.deepCopy();
        ((ObjectNode) part.get("metadata")).put("name", name).put("uid", "of-the-part");
        ((ObjectNode) part.get("metadata"))
                .putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "lightpath.dev/v1alpha1")
                .put("kind", "FabricSlice")
                .put("name", saved.getMetadata().getName())
                .put("uid", saved.getMetadata().getUid());
        ((ObjectNode) part.get("spec")).put("part", 1);
        ((ArrayNode) part.at("/status/allocation/groups")).remove(0);
        ((ArrayNode) whole.at("/status/allocation/groups")).remove(1);
        ((ObjectNode) whole.at("/status/allocation")).put("parts", 2);
        items.add(part);

        done("restore", file("parts.json", list.toString()).toString());

        List<FabricSlice> slices = client.resources(FabricSlice.class)
                .inNamespace("default")
                .list()
                .getItems();
        assertThat(slices).hasSize(2);
        FabricSlice of = slices.stream()
                .filter(each -> !SliceParts.isPart(each))
                .findFirst()
                .orElseThrow();
        assertThat(SliceParts.joined(of, slices).groups())
                .isEqualTo(saved.getStatus().allocation().groups());
        assertThat(slices)
                .filteredOn(SliceParts::isPart)
                .allSatisfy(each -> assertThat(
                                SliceParts.isOf(each, of.getMetadata().getUid()))
                        .isTrue());
    }

    /** Whoever applies jobs from a repository has them back before their records. */
    @Test
    void aJobThatIsThereAgainGetsItsRecord() {
        TrainingJob again = Shown.job("unused");
        again.getMetadata().setUid(null);
        again.setStatus(null);
        client.resource(again).create();
        JsonNode report = done("restore", backup.toString(), "-o", "json").json();
        assertThat(report.get("objects").toString()).contains("\"TrainingJob/default/llm\",\"outcome\":\"COMPLETED\"");
        assertThat(slice().getSpec().job().uid()).isEqualTo(job().getMetadata().getUid());
    }

    @Test
    void whatIsThereStaysAsItIs() {
        done("restore", backup.toString());
        client.resources(OpticalFabric.class).withName("ring-a").edit(fabric -> {
            fabric.getMetadata().setAnnotations(Map.of("of", "somebody"));
            return fabric;
        });
        String before = slice().getMetadata().getResourceVersion();
        JsonNode report = done("restore", backup.toString(), "-o", "json").json();
        assertThat(report.get("objects").findValuesAsText("outcome")).containsOnly("KEPT");
        assertThat(report.get("notes")).isEmpty();
        assertThat(slice().getMetadata().getResourceVersion()).isEqualTo(before);
    }

    @Test
    void aJobThatHasAnotherPlaceByNowKeepsIt() {
        done("restore", backup.toString());
        FabricSlice other = slice();
        client.resource(slice()).delete();
        other.getMetadata().setName("llm-ring-a-1-other");
        other.getMetadata().setResourceVersion(null);
        other.getMetadata().setUid(null);
        client.resource(other).create();
        TestRun run = done("restore", backup.toString());
        assertThat(run.out()).contains("TrainingJob llm has other slices here already");
        assertThat(client.resources(FabricSlice.class)
                        .inNamespace("default")
                        .list()
                        .getItems())
                .hasSize(1);
    }

    @Test
    void aJobThatWasBeingDeletedIsLeftOut() throws IOException {
        ObjectNode list = (ObjectNode) JSON.readTree(backup.toFile());
        list.get("items").forEach(item -> {
            if (item.get("kind").asText().equals("TrainingJob")) {
                ((ObjectNode) item.get("metadata")).put("deletionTimestamp", "2026-11-28T06:00:00Z");
            }
        });
        TestRun run = done("restore", file("deleted.json", list.toString()).toString());
        assertThat(run.out()).contains("TrainingJob/default/llm was being deleted", "takes its light down");
        assertThat(job()).isNull();
        // of a job that is gone: the operator releases it
        assertThat(slice().getSpec().job().uid())
                .isEqualTo(saved.getSpec().job().uid());
        assertThat(slice().getMetadata().getOwnerReferences()).isEmpty();
    }

    /** As of a file that was made with kubectl get, or passed through a filter. */
    @Test
    void whatABackupLacksIsTold() throws IOException {
        ObjectNode list = (ObjectNode) JSON.readTree(backup.toFile());
        ArrayNode left = JSON.createArrayNode();
        for (JsonNode item : list.get("items")) {
            if (item.get("kind").asText().equals("FabricSlice")) {
                ((ObjectNode) item).remove("status");
            }
            if (!item.get("kind").asText().equals("OpticalFabric")) {
                left.add(item);
            }
        }
        list.set("items", left);
        String out = done("restore", file("bare-list.json", list.toString()).toString(), "--dry-run")
                .out();
        assertThat(out)
                .contains("OpticalFabric/ring-a is neither in the backup nor here", "has no record in the backup");
    }

    @Test
    void aDryRunWritesNothing() {
        assertThat(done("restore", backup.toString(), "--dry-run").out()).contains("a dry run: nothing was written");
        assertThat(slice()).isNull();
        assertThat(job()).isNull();
    }

    @Test
    void aNodeThatIsMissingOrAnotherIsTold() {
        client.nodes().withName("n5").delete();
        client.nodes()
                .withName("n6")
                .edit(now -> new NodeBuilder(now)
                        .editMetadata()
                        .addToLabels("lightpath.dev/ring-position", "9")
                        .endMetadata()
                        .build());
        String out = done("restore", backup.toString()).out();
        assertThat(out)
                .contains("node n5 is not there: when it joins, give it the labels")
                .contains("node n6 has another label lightpath.dev/ring-position than the backup (6), and keeps it: 9");
        client.resource(Shown.node(5)).create();
    }

    @Test
    void nothingIsWrittenWhileAnOperatorLeads() {
        client.resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace("lightpath-system")
                        .withName(LightpathNames.LEASE)
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("pod-a")
                        .withRenewTime(ZonedDateTime.now())
                        .endSpec()
                        .build())
                .create();
        assertThat(refused(backup)).contains("the operator pod-a leads", "--replicas=0");
        assertThat(job()).isNull();
    }

    @Test
    void namesWhatIsWrongWithAFile() throws IOException {
        assertThat(refused(folder.resolve("none.json"))).contains("none.json: there is no such file");
        assertThat(refused(file("text.json", "{\"kind\": ["))).contains("text.json", "is neither JSON nor YAML");
        assertThat(refused(file("pod.json", "{\"kind\": \"Pod\"}"))).contains("is no backup: allowed is a List");
        assertThat(
                        refused(
                                file(
                                        "other.json",
                                        "{\"kind\": \"List\", \"items\": [{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"metadata\": {\"name\": \"s\"}}]}")))
                .contains("item 1, Secret s: is not of a backup");
        assertThat(refused(file("nameless.json", "{\"kind\": \"List\", \"items\": [{\"kind\": \"Node\"}]}")))
                .contains("item 1: is no object with a metadata.name");
        assertThat(refused(file(
                        "bare.json",
                        "{\"kind\": \"List\", \"items\": [{\"apiVersion\": \"lightpath.dev/v1alpha1\", \"kind\": \"OpticalFabric\","
                                + " \"metadata\": {\"name\": \"a\"}}]}")))
                .contains("item 1, OpticalFabric a: has no spec");
        assertThat(
                        refused(
                                file(
                                        "wrong.json",
                                        "{\"kind\": \"List\", \"items\": [{\"apiVersion\": \"lightpath.dev/v1alpha1\", \"kind\": \"FabricSlice\","
                                                + " \"metadata\": {\"name\": \"s\", \"namespace\": \"default\"}, \"spec\": {\"part\": \"x\"}}]}")))
                .contains("item 1, FabricSlice s: cannot be read");
        ObjectNode twice = (ObjectNode) JSON.readTree(backup.toFile());
        ((ArrayNode) twice.get("items")).addAll((ArrayNode) twice.get("items").deepCopy());
        assertThat(refused(file("twice.json", twice.toString()))).contains("is in the file twice");
        assertThat(
                        refused(
                                file(
                                        "epoch.json",
                                        "{\"kind\": \"List\", \"items\": [{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\","
                                                + " \"metadata\": {\"name\": \"lightpath-epoch\"}, \"data\": {\"epoch\": \"many\"}}]}")))
                .contains("item 1, ConfigMap lightpath-epoch: data.epoch is 'many'");
        assertThat(refused(folder)).contains("is a folder");
        String elsewhere = Files.readString(backup).replace("\"namespace\" : \"default\"", "\"namespace\" : \"gone\"");
        assertThat(refused(file("elsewhere.json", elsewhere))).contains("there is no namespace gone: create it first");
    }

    /** By the API server: the rest is there, and the command can be run again. */
    @Test
    void whatTheApiServerRefusesIsNamed() throws IOException {
        String odd = Files.readString(backup).replace("\"gpusPerNode\" : 4", "\"gpusPerNode\" : 1");
        assertThat(refused(file("odd.json", odd)))
                .contains("OpticalFabric/ring-a: the API server refused it", "can be run again");
    }
}
