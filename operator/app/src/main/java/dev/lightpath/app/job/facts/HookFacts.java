package dev.lightpath.app.job.facts;

import dev.lightpath.app.agreeing.HookAnswer;
import dev.lightpath.app.agreeing.HookQuestion;
import dev.lightpath.crds.fabric.policy.PortRange;
import java.util.List;
import java.util.Map;

/**
 * What is known of the hook of a job.
 *
 * @param ports that each fabric allows whose light is to move, by its name
 * @param answers so far, by question
 */
public record HookFacts(Map<String, List<PortRange>> ports, Map<HookQuestion, HookAnswer> answers) {
    public HookFacts {
        ports = Map.copyOf(ports);
        answers = Map.copyOf(answers);
    }

    /** Of a job that has none, or that is asked nothing. */
    public static HookFacts none() {
        return new HookFacts(Map.of(), Map.of());
    }
}
