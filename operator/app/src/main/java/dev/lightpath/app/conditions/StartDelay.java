package dev.lightpath.app.conditions;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * How long the first words about something new may wait for its light: less than a second, unless so many come together
 * that light takes longer, and so does telling.
 */
public final class StartDelay {
    public static final Duration OF_ONE = Duration.ofMillis(750);

    /** Fewer on their way at once wait no longer than one does. */
    private static final int MANY = 16;

    /**
     * More of them wait in proportion: one does for so many. If the cluster brings three a second or more to light, each
     * is told of once.
     */
    private static final int FOR_EACH = 2;

    /** Times the delay of one: half a minute. */
    private static final int LONGEST = 40;

    private static final Set<String> UNDER_WAY =
            Set.of(Reason.PENDING.word(), Reason.PROGRAMMING.word(), Reason.QUALIFYING.word());

    private StartDelay() {}

    /**
     * Whether a slice has its light soon, if all goes well: its place is looked for, or its light is made or proved.
     */
    public static boolean isUnderWay(List<Condition> conditions) {
        return !Conditions.isTrue(conditions, ConditionType.READY) && !isHeldUp(conditions);
    }

    /** Whether something stands in the way of a slice that is not Ready. */
    public static boolean isHeldUp(List<Condition> conditions) {
        return conditions.stream()
                .filter(condition -> ConditionType.ALLOCATED.word().equals(condition.getType())
                        || ConditionType.READY.word().equals(condition.getType()))
                .anyMatch(condition ->
                        !"True".equals(condition.getStatus()) && !UNDER_WAY.contains(condition.getReason()));
    }

    /** @param underWay how many are on their way */
    public static Duration of(int underWay) {
        return underWay < MANY ? OF_ONE : OF_ONE.multipliedBy(Math.min(underWay / FOR_EACH, LONGEST));
    }
}
