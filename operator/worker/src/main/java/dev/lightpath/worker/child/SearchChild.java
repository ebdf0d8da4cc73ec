package dev.lightpath.worker.child;

import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.InfeasibleBudget;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.proto.solver.v1alpha1.Question;
import dev.lightpath.worker.wire.SearchCodec;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The process of one search. It reads the question from standard input and writes the solution to standard output. The
 * end of standard input asks for the best topology so far; it comes too when the worker dies, so no search outlives it.
 */
public final class SearchChild {
    /** Exit code if the question is none. */
    static final int NO_QUESTION = 2;

    private SearchChild() {}

    /** Answers one question. Of what goes wrong the last line on standard error tells. */
    public static void main(String[] arguments) {
        try {
            answer();
        } catch (IOException | RuntimeException | StackOverflowError failure) {
            System.err.println(failure.toString().lines().findFirst().orElse(""));
            System.exit(1);
        }
    }

    private static void answer() throws IOException {
        InputStream in = new FileInputStream(FileDescriptor.in);
        Question question = Question.parseDelimitedFrom(in);
        if (question == null) {
            System.err.println("there is no question");
            System.exit(NO_QUESTION);
            return;
        }
        DeltaInstance instance;
        Goal goal;
        SearchLimits limits;
        try {
            instance = SearchCodec.instance(question);
            goal = SearchCodec.goal(question);
            limits = SearchLimits.standard().withNodes(question.getNodes()).withSeed(question.getSeed());
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.exit(NO_QUESTION);
            return;
        }
        AtomicBoolean stop = new AtomicBoolean();
        Thread.ofPlatform().daemon(true).name("stop").start(() -> {
            awaitEnd(in);
            stop.set(true);
        });
        try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            SearchCodec.solution(new DeltaPlanner().solve(instance, goal, limits.stoppingWhen(stop::get)))
                    .writeTo(out);
        } catch (InfeasibleBudget infeasible) {
            System.err.println(infeasible.getMessage());
            System.exit(NO_QUESTION);
        }
    }

    private static void awaitEnd(InputStream in) {
        try {
            while (in.read() >= 0) {
                // nothing more is said
            }
        } catch (IOException broken) {
            // the worker is gone
        }
    }
}
