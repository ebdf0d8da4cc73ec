package dev.lightpath.planner.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.LowerBound;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.NormalizedTime;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Schedule;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatorGoldenTest {
    private static final Pattern CASE = Pattern.compile("== (\\w+) x=(.*)");
    private static final Pattern MAKESPAN = Pattern.compile("(fair|cpf)\\s+C=(\\S+).*");
    private static final Pattern TASK = Pattern.compile("\\s+task (\\d+) start (\\S+) end (\\S+)");
    private static final Pattern BOUND = Pattern.compile("lower (\\S+)");

    @Test
    void playsEveryHandCheckedCaseAsRecorded() throws IOException {
        int cases = 0;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(Golden.open("golden.txt"), StandardCharsets.UTF_8))) {
            String at = "";
            Simulator simulator = new Simulator(Golden.instance("g1"));
            FlowNetwork network = new FlowNetwork(Golden.instance("g1"));
            int[] circuits = {};
            List<Schedule.Times> expected = List.of();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher start = CASE.matcher(line);
                Matcher makespan = MAKESPAN.matcher(line);
                Matcher task = TASK.matcher(line);
                Matcher bound = BOUND.matcher(line);
                if (start.matches()) {
                    at = line;
                    DeltaInstance instance = Golden.instance(start.group(1));
                    simulator = new Simulator(instance);
                    network = new FlowNetwork(instance);
                    circuits = start.group(2).equals("ideal")
                            ? new int[network.groups]
                            : Arrays.stream(start.group(2).split(","))
                                    .mapToInt(Integer::parseInt)
                                    .toArray();
                    cases++;
                } else if (makespan.matches()) {
                    Rates rates = makespan.group(1).equals("fair") ? Rates.FAIR : Rates.JOINT;
                    Schedule schedule = circuits[0] == 0
                            ? simulator.simulateUnlimited(rates)
                            : simulator.simulate(Topology.of(circuits), rates);
                    assertThat(schedule.makespanSeconds())
                            .as(at + " " + rates)
                            .isCloseTo(Double.parseDouble(makespan.group(2)), within(1e-10));
                    expected = new ArrayList<>(schedule.tasks());
                } else if (task.matches()) {
                    Schedule.Times times = expected.get(Integer.parseInt(task.group(1)));
                    assertThat(times.startSeconds())
                            .as(at + line)
                            .isCloseTo(Double.parseDouble(task.group(2)), within(1e-10));
                    assertThat(times.endSeconds())
                            .as(at + line)
                            .isCloseTo(Double.parseDouble(task.group(3)), within(1e-10));
                } else if (bound.matches() && circuits[0] > 0) {
                    assertThat(new LowerBound(network).seconds(circuits))
                            .as(at)
                            .isCloseTo(Double.parseDouble(bound.group(1)), within(1e-10));
                }
            }
        }
        assertThat(cases).isGreaterThanOrEqualTo(18);
    }

    @ParameterizedTest
    @CsvSource({
        "gpt7b-400, 1;3;3, FAIR, 0.776534088308",
        "gpt7b-400, 1;3;3, JOINT, 0.764862895882",
        "gpt7b-400, 2;2;2, FAIR, 0.79819875156",
        "gpt7b-400, 2;2;2, JOINT, 0.79786320724",
        "megatron177b-400, 2;2;14;12;14, FAIR, 11.9392241312",
        "megatron177b-400, 2;2;14;12;14, JOINT, 11.88575936",
        "megatron177b-400, 2;5;14;9;7, FAIR, 11.9318197865",
    })
    void playsKnownTopologiesOfPublishedModels(String name, String counts, Rates rates, double seconds) {
        int[] circuits =
                Arrays.stream(counts.split(";")).mapToInt(Integer::parseInt).toArray();
        assertThat(new Simulator(Golden.instance(name)).makespanSeconds(Topology.of(circuits), rates))
                .isCloseTo(seconds, within(seconds * 1e-9));
    }

    @Test
    void knowsTheReferenceTimesOfTheMetric() {
        NormalizedTime time = NormalizedTime.of(Golden.instance("megatron177b-400"));
        assertThat(time.computeOnlySeconds()).isCloseTo(11.324181, within(1e-6));
        assertThat(time.idealSeconds()).isCloseTo(11.850024, within(1e-6));
        assertThat(time.nct(11.8783102761)).isCloseTo(1.0538, within(5e-5));
    }
}
