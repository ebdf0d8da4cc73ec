package dev.lightpath.cli.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.cli.Lightpath;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DeltaCommandTest {
    @TempDir
    Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void generatesAnInstanceThatReadsBackEqual() throws IOException {
        DeltaInstance instance = InstanceFile.read(generate("megatron-177b"));
        assertThat(instance).isEqualTo(InstanceGenerator.generate(Preset.MEGATRON_177B.workload()));
    }

    @ParameterizedTest
    @CsvSource({
        "gpt7b-400, '1,3,3', fair, 0.776534088308",
        "gpt7b-400, '1,3,3', joint, 0.764862895882",
        "megatron177b-400, '2,2,14,12,14', joint, 11.88575936",
        "g11, ideal, fair, 13.5"
    })
    void evaluatesKnownTopologies(String name, String topology, String rates, double seconds) throws IOException {
        assertThat(run(
                        "delta",
                        "evaluate",
                        "--instance",
                        golden(name),
                        "--topology",
                        topology,
                        "--rates",
                        rates,
                        "-o",
                        "json"))
                .isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.get("makespanSeconds").asDouble()).isCloseTo(seconds, within(seconds * 1e-9));
        assertThat(answer.get("feasible").asBoolean()).isTrue();
        assertThat(answer.get("tasks").get(0).has("startSeconds")).isTrue();
    }

    @Test
    void evaluatesATopologyOverTheBudgetAsInfeasible() throws IOException {
        assertThat(run("delta", "evaluate", "--instance", golden("g11"), "--topology", "2,1,1", "-o", "json"))
                .isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.get("feasible").asBoolean()).isFalse();
    }

    @Test
    void solvesWithAProof() throws IOException {
        assertThat(run("delta", "solve", "--instance", golden("megatron177b-400"), "--minimize-ports", "-o", "json"))
                .isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.fieldNames())
                .toIterable()
                .containsExactly(
                        "algorithm",
                        "rates",
                        "topology",
                        "makespanSeconds",
                        "lowerBoundSeconds",
                        "gap",
                        "proved",
                        "nct",
                        "ports",
                        "portBudget",
                        "portBound",
                        "portTolerance",
                        "claim",
                        "seconds");
        assertThat(answer.get("ports").asInt()).isEqualTo(44);
        assertThat(answer.get("portBound").asInt()).isEqualTo(44);
        assertThat(answer.get("proved").asBoolean()).isTrue();
        assertThat(answer.get("claim").asText())
                .isEqualTo("44 ports are the fewest for an iteration at most 1.0E-9 (relative) longer than the fastest"
                        + " under joint rates");
    }

    @ParameterizedTest
    @CsvSource({"joint, joint", "fast, fair"})
    void evaluatesASolutionUnderTheRatesItWasSolvedUnder(String algorithm, String rates) throws IOException {
        String instance = golden("gpt7b-400");
        assertThat(run("delta", "solve", "--instance", instance, "--algorithm", algorithm, "-o", "json"))
                .isZero();
        JsonNode solved = new ObjectMapper().readTree(out.toString());
        Path solution = Files.writeString(folder.resolve("solution.json"), out.toString());
        out.getBuffer().setLength(0);
        assertThat(run("delta", "evaluate", "--instance", instance, "--solution", solution.toString(), "-o", "json"))
                .isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.get("rates").asText()).isEqualTo(rates);
        assertThat(answer.get("makespanSeconds")).isEqualTo(solved.get("makespanSeconds"));
    }

    @Test
    void explainsATopology() throws IOException {
        String command = "delta explain --instance " + golden("gpt7b-400") + " --topology 2,2,2 --rates joint";
        assertThat(run(command.split(" "))).isZero();
        assertThat(out.toString())
                .contains("iteration 0.797863 s under joint rates")
                .containsPattern("0 - 1 +2 ")
                .contains("critical path: ")
                .contains("one more port in")
                .containsPattern("0 \\(4 of 4 used\\): 0\\.7\\d+ s, [0-9.]+ % shorter");
        out.getBuffer().setLength(0);
        assertThat(run((command + " -o json").split(" "))).isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.get("makespanSeconds").asDouble()).isCloseTo(0.79786320724, within(1e-9));
        assertThat(answer.get("pairs")).hasSize(3);
        assertThat(answer.get("criticalPath").get(0).has("cardSeconds")).isTrue();
        assertThat(answer.get("morePorts")).hasSize(3);
    }

    @Test
    void saysWhichPodExceedsItsPorts() throws IOException {
        assertThat(run("delta", "evaluate", "--instance", golden("g11"), "--topology", "2,1,1"))
                .isZero();
        assertThat(out.toString())
                .containsPattern("feasible +no")
                .containsPattern("rates +fair")
                .contains("pod 0: 3 circuit ends, it has 2 ports");
    }

    /** The one that takes a MILP longest is asked a small question. */
    @ParameterizedTest
    @CsvSource({
        "joint, gpt7b-400",
        "joint --minimize-ports, gpt7b-400",
        "topology, gpt7b-400",
        "topology --minimize-ports, gpt7b-400",
        "fast, gpt7b-400",
        "prop, gpt7b-400",
        "sqrt, gpt7b-400",
        "iter-halve, gpt7b-400",
        "milp-joint, gpt7b-400",
        "milp-joint --minimize-ports, g11",
        "milp-topology, gpt7b-400",
        "milp-fixed-step, gpt7b-400"
    })
    void answersTheSameAgainAndWithAnyNumberOfThreads(String algorithm, String instance) throws IOException {
        String command = "delta solve --instance " + golden(instance) + " -o json --algorithm " + algorithm;
        ObjectNode answer = withoutSeconds(command + " --threads 2");
        assertThat(answer.get("algorithm").asText()).isEqualTo(algorithm.replace(" --minimize-ports", ""));
        assertThat(withoutSeconds(command + " --threads 1").toPrettyString()).isEqualTo(answer.toPrettyString());
    }

    private ObjectNode withoutSeconds(String command) throws IOException {
        out.getBuffer().setLength(0);
        assertThat(run(command.split(" "))).isZero();
        ObjectNode answer = (ObjectNode) new ObjectMapper().readTree(out.toString());
        assertThat(answer.remove("seconds")).isNotNull();
        return answer;
    }

    /** SCIP's last bits differ from run to run. */
    @Test
    void tellsNoMoreDigitsOfAMilpThanItIsSureOf() throws IOException {
        assertThat(run("delta", "solve", "--instance", golden("gpt7b-400"), "--algorithm", "milp-joint", "-o", "json"))
                .isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        for (String figure : List.of("milpObjectiveSeconds", "milpBoundSeconds")) {
            BigDecimal told = new BigDecimal(answer.get(figure).asText());
            assertThat(told.stripTrailingZeros().precision()).as(figure).isLessThanOrEqualTo(9);
            assertThat(told.doubleValue()).isCloseTo(0.764862895882, within(2e-6));
        }
    }

    @Test
    void refusesAKeyThatComesTwiceInOneLine() throws IOException {
        String twice = Files.readString(Path.of(golden("g1"))).replaceFirst("\"flows\": ", "\"flows\": 7, \"flows\": ");
        Path file = Files.writeString(folder.resolve("twice.json"), twice);
        assertThat(run("delta", "solve", "--instance", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("twice.json")
                .contains("Duplicate field 'flows'")
                .hasLineCount(1);
    }

    @Test
    void endsWithOneWhenThePortsCannotHoldTheJob() throws IOException {
        String crowded = Files.readString(Path.of(golden("g11"))).replaceFirst("\"ports\": 2", "\"ports\": 1");
        Path file = Files.writeString(folder.resolve("crowded.json"), crowded);
        assertThat(run("delta", "solve", "--instance", file.toString(), "-o", "json"))
                .isEqualTo(1);
        assertThat(new ObjectMapper().readTree(out.toString()).get("infeasible").asText())
                .contains("pod 0");
        assertThat(err.toString()).hasLineCount(1);
    }

    @Test
    void reallocatesPortsToTheTwin() throws IOException {
        Path model = generate("gpt-7b");
        Path twin = generate("gpt-7b", "--reversed");
        assertThat(run(
                        "delta",
                        "reallocate",
                        "--instance",
                        model.toString(),
                        "--transposed",
                        twin.toString(),
                        "-o",
                        "json"))
                .isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.get("freedPorts").get("1").asInt()).isEqualTo(1);
        assertThat(answer.get("transposed").get("after").get("makespanSeconds").asDouble())
                .isLessThanOrEqualTo(answer.get("transposed")
                        .get("before")
                        .get("makespanSeconds")
                        .asDouble());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"bytes\": 5, | \"bytes\": -5, | tasks[0].bytes: -5.0, allowed: a finite number, 0 or more",
                "\"bytes\": 5, | \"bytes\": NaN, | tasks[0].bytes: NaN, allowed: a finite number",
                "\"bytes\": 5, | \"bytes\": 1e999, | tasks[0].bytes: Infinity, allowed: a finite number",
                "\"bytes\": 5, | \"bytes\": 1e300, | tasks and deps: all delays and transfers together take",
                "\"flows\": 1, | \"flows\": 1e12, | tasks[0].flows: 1.0E12, allowed: an integer",
                "\"flows\": 1, | \"flow\": 1, | tasks[0].flow: unknown field, allowed: bytes dst dstGpus flows id name src srcGpus",
                "\"flows\": 1, | '' | tasks[0].flows: missing",
                "\"src\": 0, | \"src\": 9, | tasks[0].src: unknown pod 9",
                "\"src\": 0, | \"src\": 0.5, | tasks[0].src: an integer is wanted, found 0.5",
                "\"pre\": 0, | \"pre\": 77, | deps[2].pre: unknown task 77",
                "\"post\": 2, | \"post\": 0, | deps[2].pre and post: both 0",
                "\"delaySeconds\": 3 | \"delaySeconds\": \"3\" | deps[2].delaySeconds: a number is wanted",
                "delta-instance/1 | delta-instance/2 | format: 'delta-instance/2', allowed: delta-instance/1",
                "\"circuitBytesPerSecond\": 10 | \"circuitBytesPerSecond\": 0 | circuitBytesPerSecond: 0.0, allowed",
                "\"pre\": -1, | \"pre\": 2, | deps: a cycle keeps task",
                "\"pods\" | \"pods\": [], \"pods\" | pods: Duplicate field 'pods'",
                "{ | [ | bad.json:"
            })
    void refusesABadInstanceInOneLine(String text, String instead, String message) throws IOException {
        String bad = Files.readString(Path.of(golden("g11")))
                .replaceFirst(Pattern.quote(text), Matcher.quoteReplacement(instead));
        Path file = Files.writeString(folder.resolve("bad.json"), bad);
        assertThat(run("delta", "solve", "--instance", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("bad.json").contains(message).hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--topology 1,1 | 2 counts, allowed: 3",
                "--topology 1,1,x | x', allowed",
                "--topology 0,1,1 | 0 for group 0 (pods 0-1), which has traffic, allowed: 1 or more circuits",
                "--solution no.json | no.json: there is no such file",
                "--topology 1,1,1 --solution no.json | mutually exclusive",
                "--topology 1,1,1 --rates greedy | --rates"
            })
    void refusesABadTopologyInOneLine(String options, String message) throws IOException {
        String[] arguments = ("delta evaluate --instance " + golden("g11") + " " + options).split(" ");
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(err.toString()).contains(message).hasLineCount(1);
    }

    @Test
    void refusesOptionsThatContradictInOneLine() throws IOException {
        assertThat(run("delta", "reallocate", "--instance", "-", "--transposed", "-"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("allowed: one of them").hasLineCount(1);
        err.getBuffer().setLength(0);
        String g1 = golden("g1");
        assertThat(run("delta", "reallocate", "--instance", g1, "--transposed", g1, "--port-tolerance", "-1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--port-tolerance -1.0: allowed").hasLineCount(1);
        err.getBuffer().setLength(0);
        assertThat(run("delta", "solve", "--instance", g1, "--algorithm", "milp-fixed-step", "--minimize-ports"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--minimize-ports: allowed").hasLineCount(1);
    }

    @Test
    void refusesAnUnknownAlgorithmAndPresetInOneLine() throws IOException {
        assertThat(run("delta", "solve", "--instance", golden("g1"), "--algorithm", "magic"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--algorithm magic: allowed: joint").hasLineCount(1);
        err.getBuffer().setLength(0);
        assertThat(run("delta", "generate", "--preset", "gpt-9")).isEqualTo(2);
        assertThat(err.toString()).contains("gpt-9").contains("megatron-177b").hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--gbps 0 | --gbps: 0.0, allowed: above 0",
                "--gbps NaN | --gbps: NaN, allowed: above 0",
                "--gbps 1e308 | --gbps: ",
                "--gbps fast | --gbps",
                "--micro-batches 0 | --micro-batches: 0, allowed: 1 or more",
                "--micro-batches 2000000000 | --micro-batches: 2000000000, allowed: at most 43690 with 6 stages",
                "--sequence-length -1 | --sequence-length: -1, allowed: 1 or more",
                "--gbps 1e-290 | --gbps --micro-batches --sequence-length: tasks and deps: all delays"
            })
    void namesTheOptionThatIsWrong(String options, String message) {
        assertThat(run(("delta generate --preset megatron-177b " + options).split(" ")))
                .isEqualTo(2);
        assertThat(err.toString()).contains(message).hasLineCount(1);
    }

    private Path generate(String preset, String... more) throws IOException {
        String[] arguments = new String[4 + more.length];
        arguments[0] = "delta";
        arguments[1] = "generate";
        arguments[2] = "--preset";
        arguments[3] = preset;
        System.arraycopy(more, 0, arguments, 4, more.length);
        assertThat(run(arguments)).isZero();
        Path file = Files.writeString(folder.resolve(String.join("-", arguments) + ".json"), out.toString());
        out.getBuffer().setLength(0);
        return file;
    }

    private static String golden(String name) {
        try {
            return Path.of(Objects.requireNonNull(DeltaCommandTest.class.getResource("/golden/delta/" + name + ".json"))
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private int run(String... arguments) {
        CommandLine command = Lightpath.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(arguments);
    }
}
