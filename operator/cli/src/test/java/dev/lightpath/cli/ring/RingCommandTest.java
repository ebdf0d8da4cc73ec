package dev.lightpath.cli.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.cli.Lightpath;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RingCommandTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CLUSTER =
            "ring place --gpus 2880 --gpus-per-node 4 --reach 2 --shape line --nodes-per-tor 2 --nodes-per-aggregation 72 --tensor 32";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String line) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine command = Lightpath.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(line.split(" "));
    }

    private JsonNode answer(String line) throws IOException {
        assertThat(run(line + " -o json")).as(err.toString()).isZero();
        return JSON.readTree(out.toString());
    }

    private static List<String> fields(JsonNode node) {
        return node.properties().stream().map(java.util.Map.Entry::getKey).toList();
    }

    @Test
    void bundlesOfTheWorkedExampleFormOneRingOfSixteenGpus() throws IOException {
        JsonNode answer =
                answer("ring bundles --nodes 8 --gpus-per-node 4 --reach 3 --shape line --faulty 3,4 --groups 1,2,5,6");
        assertThat(fields(answer)).containsExactly("nodes", "rings", "violations");
        assertThat(answer.at("/nodes/2/bundles").toString()).isEqualTo("[\"PATH_1\",\"LOOPBACK\",\"PATH_2\"]");
        assertThat(answer.at("/rings/0").toString())
                .isEqualTo("[\"1.0\",\"1.1\",\"2.0\",\"2.3\",\"5.3\",\"5.0\",\"5.1\",\"6.0\",\"6.3\",\"6.2\",\"6.1\","
                        + "\"5.2\",\"2.2\",\"2.1\",\"1.2\",\"1.3\"]");
        assertThat(answer.get("violations")).isEmpty();
    }

    @Test
    void bundlesNamesWhatIsWrongWithAGroup() throws IOException {
        String base = "ring bundles --nodes 8 --gpus-per-node 4 --reach 3 --shape line --groups ";
        assertThat(answer(base + "1,5").get("violations").toString()).contains("hop 4");
        assertThat(answer(base + "1,2 --faulty 2").get("violations").toString()).contains("I0");
    }

    @Test
    void placeReproducesTheReferenceAndPrintsItsFields() throws IOException {
        String line = CLUSTER + " --job-scale 0.85 --fault-ratio 0.07 --fault-seed 3";
        JsonNode paper = answer(line + " --algorithm paper");
        assertThat(fields(paper))
                .containsExactly(
                        "groups",
                        "crossTorRatio",
                        "constrainedDomains",
                        "usableGroups",
                        "faulty",
                        "faultyNodes",
                        "parameters",
                        "seconds");
        assertThat(paper.get("groups")).hasSize(77);
        assertThat(paper.get("crossTorRatio").doubleValue()).isCloseTo(0.392857, within(1e-6));
        assertThat(paper.get("constrainedDomains").intValue()).isEqualTo(24);
        assertThat(paper.get("faulty").intValue()).isEqualTo(45);
        JsonNode exact = answer(line);
        assertThat(exact.get("crossTorRatio").doubleValue()).isLessThan(0.0585);
    }

    @Test
    void repairReadsWhatPlacePrintsAndReplacesTheFailedNode(@TempDir Path folder) throws IOException {
        JsonNode placed = answer(CLUSTER + " --groups 80 --faulty 3");
        Path file = folder.resolve("placement.json");
        Files.writeString(file, placed.toString());
        int failed = placed.at("/groups/10/2").intValue();
        for (String mode : List.of("local", "minimal")) {
            JsonNode repaired =
                    answer("ring repair --placement " + file + " --fault " + failed + " --recover 3 --mode " + mode);
            assertThat(fields(repaired))
                    .containsExactly("groups", "changedGroups", "changedBundles", "lostGroups", "seconds");
            assertThat(repaired.get("groups")).hasSize(80);
            assertThat(repaired.get("lostGroups")).isEmpty();
            assertThat(repaired.get("changedGroups").intValue()).isBetween(1, 3);
            repaired.get("groups")
                    .forEach(group ->
                            group.forEach(node -> assertThat(node.intValue()).isNotEqualTo(failed)));
        }
    }

    @Test
    void changesNothingWhereNothingFailed(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("placement.json");
        JsonNode placed = answer(CLUSTER + " --groups 80");
        Files.writeString(file, placed.toString());
        JsonNode repaired = answer("ring repair --fault= --placement " + file);
        assertThat(repaired.get("changedBundles").intValue()).isZero();
        assertThat(repaired.get("groups")).isEqualTo(placed.get("groups"));
    }

    @Test
    void tooManyGroupsEndWithOneAndTheReason() throws IOException {
        assertThat(run(CLUSTER + " --groups 91 -o json")).isEqualTo(1);
        assertThat(JSON.readTree(out.toString()).get("infeasible").textValue())
                .contains("90")
                .contains("91");
    }

    @Test
    void badInputEndsWithTwoAndOneLineThatNamesTheField(@TempDir Path folder) throws IOException {
        String tail = " --tensor 32 --groups 2";
        String document = answer(CLUSTER + " --groups 2 --faulty 3").toString();
        Path placed = Files.writeString(folder.resolve("placed.json"), document);
        Path twice = Files.writeString(
                folder.resolve("twice.json"), document.replace("\"faultyNodes\":[3]", "\"faultyNodes\":[3,3]"));
        String[][] cases = {
            {"ring place --gpus 2881 --gpus-per-node 4 --reach 2 --shape line" + tail, "gpus = 2881"},
            {"ring place --gpus 2880 --gpus-per-node 4 --reach 5 --shape line" + tail, "reach = 5"},
            {
                "ring place --gpus 2880 --gpus-per-node 4 --reach 2 --shape line --nodes-per-tor 7" + tail,
                "nodesPerTor = 7"
            },
            {"ring place --gpus 2880 --gpus-per-node 4 --reach 2 --shape star" + tail, "--shape"},
            {CLUSTER.replace("72", "50") + " --groups 2", "nodesPerAggregation = 50"},
            {CLUSTER + " --groups 2 --faulty 720", "720"},
            {CLUSTER + " --groups 0", "groups = 0"},
            {CLUSTER + " --job-scale 1.2", "--job-scale"},
            {CLUSTER.replace("--tensor 32", "--tensor 6") + " --groups 2", "tensor = 6"},
            {"ring bundles --nodes 8 --gpus-per-node 4 --reach 3 --shape line --groups 1,1", "twice"},
            {"ring bundles --nodes 8 --gpus-per-node 4 --reach 3 --shape line --groups 1,x", "'x'"},
            {CLUSTER + " --groups 2 --job-scale 0.5", "--groups N or --job-scale S: exactly one"},
            {CLUSTER, "--groups N or --job-scale S: exactly one"},
            {CLUSTER + " --job-scale 1e-999999999", "more than 0"},
            {CLUSTER + " --groups 2 --faulty 3 --fault-ratio 0.1", "--faulty and --fault-ratio: "},
            {CLUSTER + " --groups 2 --faulty 3 --fault-seed 1", "--faulty and --fault-seed: "},
            {CLUSTER + " --groups 2 --fault-seed 1", "--fault-seed 1: allowed only with --fault-ratio"},
            {CLUSTER + " --groups 2 --faulty 3,4,3", "--faulty: node 3 is listed twice"},
            {"ring bundles --nodes 8 --gpus-per-node 4 --reach 3 --shape line --groups 1,2;;3,4", "an empty group"},
            {"ring repair --placement " + placed, "--fault, --recover: at least one"},
            {"ring repair --fault 5,5 --placement " + placed, "--fault: node 5 is listed twice"},
            {"ring repair --fault 5 --placement " + twice, "faultyNodes: node 3 is listed twice"},
            {"ring repair --placement " + folder.resolve("none.json"), "none.json"},
        };
        for (String[] bad : cases) {
            assertThat(run(bad[0])).as(bad[0]).isEqualTo(2);
            assertThat(err.toString()).as(bad[0]).contains(bad[1]).hasLineCount(1);
            assertThat(out.toString()).isEmpty();
        }
    }

    @Test
    void repairNamesTheFieldOfAPlacementThatCannotBe(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("placement.json");
        String placed = answer(CLUSTER + " --groups 1").toString();
        Files.writeString(file, placed.replace("\"tensor\":32", "\"tensor\":16"));
        assertThat(run("ring repair --placement " + file)).isEqualTo(2);
        assertThat(err.toString())
                .contains("groups[0] has 8 nodes, must have 4")
                .hasLineCount(1);
        Files.writeString(file, "{\"groups\":[]}");
        assertThat(run("ring repair --placement " + file)).isEqualTo(2);
        assertThat(err.toString()).contains("faultyNodes is missing");
    }

    @Test
    void aPlacementThatCannotBeReadIsNamedByItsField(@TempDir Path folder) throws IOException {
        String good =
                "{\"groups\":[[0,1]],\"faultyNodes\":[],\"parameters\":{\"gpus\":64,\"gpusPerNode\":4,\"reach\":3,"
                        + "\"shape\":\"ring\",\"nodesPerTor\":1,\"nodesPerAggregation\":16,\"tensor\":8}}";
        Path file = folder.resolve("placement.json");
        String repair = "ring repair --placement " + file;
        Files.writeString(file, good);
        assertThat(run(repair + " --fault 1")).as(err.toString()).isZero();
        assertThat(run(repair + " --fault 3 --recover 3")).isEqualTo(2);
        assertThat(err.toString()).contains("--recover: node 3 is in --fault too");
        String[][] flaws = {
            {"[[0,1]]", "null", "groups is missing"},
            {"[[0,1]]", "[]", "groups must be a list of groups, at least one"},
            {"[[0,1]]", "[null]", "groups[0] must be a list of node numbers"},
            {"[[0,1]]", "[[0,\"x\"]]", "groups[0]: \"x\" is no node number"},
            {"\"ring\"", "\"blob\"", "parameters.shape 'blob' must be line or ring"},
            {"\"ring\"", "null", "parameters.shape"},
            {"\"reach\":3", "\"reach\":null", "parameters.reach must be a whole number"},
        };
        for (String[] flaw : flaws) {
            Files.writeString(file, good.replace(flaw[0], flaw[1]));
            assertThat(run(repair + " --fault 1")).as(flaw[2]).isEqualTo(2);
            assertThat(err.toString().lines())
                    .as(flaw[2])
                    .singleElement()
                    .asString()
                    .contains(flaw[2]);
        }
    }

    @Test
    void whatNoFabricCanBeIsRefusedInOneLine() {
        String cluster = " --gpus-per-node 4 --reach 3 --shape ring --tensor 8";
        assertThat(run("ring place --gpus 2147483644 --groups 1" + cluster)).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("must be 1..4194304 nodes");
        assertThat(run("ring place --gpus 64 --job-scale abc" + cluster)).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("--job-scale 'abc': must be a number");
    }
}
