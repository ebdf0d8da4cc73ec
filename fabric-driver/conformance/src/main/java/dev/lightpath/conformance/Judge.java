package dev.lightpath.conformance;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Housekeeping;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.report.Finding;
import dev.lightpath.conformance.report.Verdict;
import dev.lightpath.conformance.requirement.Requirement;
import io.grpc.StatusRuntimeException;
import java.util.Optional;

/** Judges a device by one requirement after the other, and puts it back in between. */
public final class Judge {
    private final Housekeeping house;

    public Judge(Housekeeping house) {
        this.house = house;
    }

    public Finding judge(Requirement requirement) {
        long began = System.nanoTime();
        Verdict verdict = verdict(requirement, house.bench());
        // a check that was cut must not cut this
        boolean unused = Thread.interrupted();
        Optional<String> left = house.restore();
        if (left.isPresent() && verdict instanceof Verdict.Passed) {
            verdict = new Verdict.Failed("the device put back afterwards, by the driver's own calls", left.get());
        }
        return new Finding(requirement, verdict, (System.nanoTime() - began) / 1_000_000);
    }

    private static Verdict verdict(Requirement requirement, Bench bench) {
        try {
            requirement.check().judge(bench);
            return new Verdict.Passed();
        } catch (Unmet unmet) {
            return new Verdict.Failed(
                    unmet.expected(),
                    unmet.seen()
                            + bench.hurtBy()
                                    .map(fault -> "; the device was hurt by: " + String.join(" ", fault.words()))
                                    .orElse(""));
        } catch (Inapplicable inapplicable) {
            return new Verdict.Skipped(String.valueOf(inapplicable.getMessage()));
        } catch (StatusRuntimeException refused) {
            return new Verdict.Failed("an answer", String.valueOf(refused.getMessage()));
        } catch (Exception e) {
            return new Verdict.Failed("answers as the contract forms them", String.valueOf(e));
        }
    }
}
