package dev.lightpath.planner.engine;

import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import java.util.Optional;

/** A wish that says the same as another but for what is changed here. */
final class Amended {
    private final SliceIntent was;
    private boolean wanted;
    private Workload workload;
    private Replacement replacement;
    private boolean relocatable;
    private Reconfiguration reconfiguration;
    private boolean renewed;
    private boolean forced;
    private Optional<String> beside;
    private boolean preemptible;

    private Amended(SliceIntent was) {
        this.was = was;
        this.wanted = was.wanted();
        this.workload = was.workload();
        this.replacement = was.replacement();
        this.relocatable = was.relocatable();
        this.reconfiguration = was.reconfiguration();
        this.renewed = was.renewed();
        this.forced = was.forced();
        this.beside = was.beside();
        this.preemptible = was.preemptible();
    }

    static Amended of(SliceIntent was) {
        return new Amended(was);
    }

    Amended wanted(boolean next) {
        wanted = next;
        return this;
    }

    Amended workload(Workload next) {
        workload = next;
        return this;
    }

    Amended replacement(Replacement next) {
        replacement = next;
        return this;
    }

    Amended relocatable(boolean next) {
        relocatable = next;
        return this;
    }

    Amended reconfiguration(Reconfiguration next) {
        reconfiguration = next;
        return this;
    }

    Amended renewed(boolean next) {
        renewed = next;
        return this;
    }

    /** A person lets it go though its light may burn on. */
    Amended forced() {
        wanted = false;
        forced = true;
        return this;
    }

    Amended beside(String fabric) {
        beside = Optional.of(fabric);
        return this;
    }

    /** The operator did not make what runs on it. */
    Amended unstoppable() {
        preemptible = false;
        return this;
    }

    SliceIntent wish() {
        return new SliceIntent(
                was.id(),
                was.job(),
                was.attempt(),
                was.fabric(),
                was.demand(),
                was.priority(),
                was.createdAt(),
                wanted,
                workload,
                replacement,
                relocatable,
                reconfiguration,
                renewed,
                forced,
                beside,
                preemptible);
    }
}
