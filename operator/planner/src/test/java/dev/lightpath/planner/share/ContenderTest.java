package dev.lightpath.planner.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ContenderTest {
    private static final Seat RING = Seat.ofFabric("ring-a");
    private static final Seat SPINE = Seat.ofFabric("spine");

    private final Contender contender = new Contender("self");

    private static FabricGroups groups(String... fabrics) {
        SortedMap<String, SortedSet<String>> claims = new TreeMap<>();
        for (String fabric : fabrics) {
            claims.put(fabric, new TreeSet<>());
        }
        return FabricGroups.of(claims);
    }

    private static long at(double seconds) {
        return (long) (seconds * 1e9);
    }

    private static SeenLease lease(Seat seat, String holder, String version) {
        return new SeenLease(seat, holder, false, version, Contender.LASTS);
    }

    private static SeenLease givenBack(Seat seat, String version) {
        return new SeenLease(seat, "", false, version, Contender.GIVEN_BACK);
    }

    private static SeenLease guard(String holder, boolean shared, String version) {
        return new SeenLease(Seat.GUARD, holder, shared, version, Contender.GUARD_LASTS);
    }

    private LeaseActions look(double seconds, FabricGroups groups, List<SeenLease> listed) {
        return contender.look(listed, groups, true, at(seconds), at(seconds));
    }

    /** The same is there each second from then until then. */
    private LeaseActions looks(double from, double seconds, FabricGroups groups, List<SeenLease> listed) {
        for (double at = from; at < seconds; at++) {
            look(at, groups, listed);
        }
        return look(seconds, groups, listed);
    }

    /** Writes all that they say, at once, and gives Leases as they are then. */
    private List<SeenLease> carriedOut(LeaseActions actions, double seconds) {
        List<SeenLease> now = new ArrayList<>();
        actions.write().keySet().forEach(seat -> {
            String version = seat + " at " + seconds;
            contender.wrote(seat, contender.version(seat), version, at(seconds));
            now.add(
                    seat.equals(Seat.GUARD)
                            ? guard("self", true, version)
                            : new SeenLease(seat, "self", false, version, Contender.LASTS));
        });
        return now;
    }

    @Test
    void whoIsAloneTakesEverythingAndCountsItForLessThanOthersWait() {
        LeaseActions actions = look(0, groups("ring-a", "spine"), List.of());
        assertThat(actions.write().keySet())
                .containsExactlyInAnyOrder(Seat.GUARD, Seat.REST, Seat.ofReplica("self"), RING, SPINE);
        assertThat(contender.led(at(0)).isNothing()).isTrue();
        carriedOut(actions, 0.5);
        Led led = contender.led(at(1));
        assertThat(led.fabrics()).containsExactly("ring-a", "spine");
        assertThat(led.rest()).isTrue();
        assertThat(contender.ledUntil(led)).isEqualTo(at(5.5));
        assertThat(contender.led(at(5.5)).isNothing()).isTrue();
        assertThat(Contender.LASTS).isGreaterThan(Duration.ofSeconds(5));
    }

    @Test
    void whatAnotherHoldsIsTakenOnceItWasSeenUnchangedForAsLongAsItLasts() {
        List<SeenLease> held = List.of(lease(RING, "other", "1"));
        assertThat(look(0, groups("ring-a"), held).write()).doesNotContainKey(RING);
        assertThat(looks(1, 5.9, groups("ring-a"), held).write()).doesNotContainKey(RING);
        List<SeenLease> renewed = List.of(lease(RING, "other", "2"));
        assertThat(look(6.1, groups("ring-a"), renewed).write()).doesNotContainKey(RING);
        assertThat(looks(7, 12, groups("ring-a"), renewed).write()).doesNotContainKey(RING);
        assertThat(look(12.1, groups("ring-a"), renewed).write()).containsEntry(RING, "2");
    }

    /** It may have been written just before they were listed, long after that was asked for. */
    @Test
    void waitsFromWhenTheAnswerWasThere() {
        List<SeenLease> held = List.of(lease(RING, "other", "1"));
        contender.look(held, groups("ring-a"), true, at(0), at(8));
        assertThat(looks(9, 13.9, groups("ring-a"), held).write()).doesNotContainKey(RING);
        assertThat(look(14, groups("ring-a"), held).write()).containsEntry(RING, "1");
    }

    @Test
    void aLeaseThatIsDeletedIsNotTakenBeforeItWouldHaveRunOut() {
        look(0, groups("ring-a"), List.of(lease(RING, "other", "1")));
        assertThat(look(1, groups("ring-a"), List.of()).write()).doesNotContainKey(RING);
        assertThat(look(6, groups("ring-a"), List.of()).write()).containsEntry(RING, "");
    }

    /**
     * Nobody could renew anything. If the first that sees the Leases again took them all, others would lead nothing for
     * a while.
     */
    @Test
    void afterAnOutageOthersMayRenewWhatTheyHeld() {
        Seat replica = Seat.ofReplica("other");
        List<SeenLease> before = List.of(lease(RING, "other", "1"), lease(replica, "other", "1"));
        look(0, groups("ring-a"), before);
        assertThat(look(30, groups("ring-a"), before).write()).doesNotContainKey(RING);
        List<SeenLease> renewed = List.of(lease(RING, "other", "2"), lease(replica, "other", "2"));
        assertThat(look(31, groups("ring-a"), renewed).write()).doesNotContainKey(RING);
        assertThat(looks(32, 36.9, groups("ring-a"), renewed).write()).doesNotContainKey(RING);
        assertThat(look(37, groups("ring-a"), renewed).write()).containsEntry(RING, "2");
    }

    @Test
    void whoIsGoneIsReplacedThoughEachLookTakesLong() {
        List<SeenLease> before = List.of(lease(RING, "other", "1"));
        look(0, groups("ring-a"), before);
        assertThat(look(5, groups("ring-a"), before).write()).doesNotContainKey(RING);
        assertThat(look(10, groups("ring-a"), before).write()).containsEntry(RING, "1");
    }

    /** Whoever held it counts on it, and learns only by its next look that it is gone. */
    @Test
    void aLeaseThatMayHaveBeenDeletedBeforeTheFirstLookIsNotTakenBeforeItWouldHaveRunOut() {
        FabricGroups both = groups("ring-a", "spine");
        List<SeenLease> others = List.of(lease(SPINE, "other", "1"), lease(Seat.ofReplica("other"), "other", "1"));
        assertThat(look(0, both, others).write())
                .containsKey(Seat.ofReplica("self"))
                .doesNotContainKey(RING);
        List<SeenLease> renewed = List.of(lease(SPINE, "other", "2"), lease(Seat.ofReplica("other"), "other", "2"));
        assertThat(look(5.9, both, renewed).write()).doesNotContainKey(RING);
        assertThat(look(6, both, renewed).write()).containsEntry(RING, "");
    }

    @Test
    void whatAPersonWritesInALeaseNeitherTakesItEarlierNorKeepsItForLong() {
        Seat replica = Seat.ofReplica("other");
        look(0, groups("ring-a"), List.of(lease(RING, "other", "1")));
        SeenLease shorter = new SeenLease(RING, "other", false, "2", Duration.ofSeconds(1));
        look(1, groups("ring-a"), List.of(shorter, lease(replica, "other", "1")));
        assertThat(looks(2, 6.9, groups("ring-a"), List.of(shorter)).write()).doesNotContainKey(RING);
        SeenLease none = new SeenLease(RING, "", false, "3", Contender.LASTS);
        assertThat(looks(7, 12.9, groups("ring-a"), List.of(none)).write()).doesNotContainKey(RING);
        assertThat(look(13, groups("ring-a"), List.of(none)).write()).containsEntry(RING, "3");
        SeenLease longer = new SeenLease(RING, "nobody", false, "4", Duration.ofDays(365));
        assertThat(looks(14, 73.9, groups("ring-a"), List.of(longer)).write()).doesNotContainKey(RING);
        assertThat(look(74, groups("ring-a"), List.of(longer)).write()).containsEntry(RING, "4");
    }

    @Test
    void aReplicaThatOnlyAPersonWroteOfGetsNothing() {
        SeenLease forged = lease(Seat.ofReplica("other"), "nobody", "1");
        SeenLease ours = new SeenLease(Seat.ofReplica("self"), "nobody", false, "1", Duration.ofDays(365));
        assertThat(look(0, groups("ring-a", "ring-b", "spine"), List.of(forged, ours))
                        .write()
                        .keySet())
                .containsExactlyInAnyOrder(
                        Seat.GUARD, Seat.REST, Seat.ofReplica("self"), RING, Seat.ofFabric("ring-b"), SPINE);
    }

    @Test
    void whoIsSaidToLeadEverythingAndDoesNotIsWaitedForNoLongerThanAMinute() {
        SeenLease forged = new SeenLease(Seat.GUARD, "nobody", false, "1", Duration.ofDays(365));
        assertThat(looks(0, 59.9, groups("ring-a"), List.of(forged)).write()).doesNotContainKey(Seat.GUARD);
        assertThat(look(60, groups("ring-a"), List.of(forged)).write()).containsEntry(Seat.GUARD, "1");
    }

    @Test
    void aGroupIsLedOnceAllItsLeasesAreHeld() {
        FabricGroups joined = groups("ring-a", "spine").joining(List.of(List.of("ring-a", "spine")));
        LeaseActions actions =
                look(0, joined, List.of(lease(SPINE, "other", "1"), lease(Seat.ofReplica("other"), "other", "1")));
        assertThat(actions.write()).doesNotContainKeys(RING, SPINE);
        actions = look(
                1,
                joined,
                List.of(givenBack(SPINE, "2"), lease(RING, "self", "3"), lease(Seat.ofReplica("other"), "other", "2")));
        assertThat(actions.write()).containsKeys(RING, SPINE, Seat.GUARD);
        contender.wrote(Seat.GUARD, contender.version(Seat.GUARD), "4", at(1));
        contender.wrote(RING, contender.version(RING), "5", at(1));
        assertThat(contender.led(at(1)).fabrics()).isEmpty();
        contender.wrote(SPINE, contender.version(SPINE), "6", at(1));
        assertThat(contender.led(at(1)).fabrics()).containsExactly("ring-a", "spine");
    }

    @Test
    void whoLeadsEverythingIsWaitedFor() {
        List<SeenLease> whole = List.of(guard("older", false, "1"));
        assertThat(look(0, groups("ring-a"), whole).write()).containsOnlyKeys(Seat.ofReplica("self"));
        assertThat(looks(1, 14.9, groups("ring-a"), whole).write()).containsOnlyKeys(Seat.ofReplica("self"));
        assertThat(look(15, groups("ring-a"), whole).write()).containsEntry(Seat.GUARD, "1");
    }

    /** It competes for that one Lease alone, and would take it while the others are still held. */
    @Test
    void nothingIsLedWithoutHavingWrittenTheGuardLately() {
        List<SeenLease> now = carriedOut(look(0, groups("ring-a"), List.of()), 0);
        contender.wrote(RING, contender.version(RING), "later", at(9));
        contender.wrote(Seat.REST, contender.version(Seat.REST), "later", at(9));
        assertThat(contender.led(at(9.9)).fabrics()).containsExactly("ring-a");
        assertThat(contender.ledUntil(contender.led(at(9.9)))).isEqualTo(at(10));
        assertThat(contender.led(at(10)).isNothing()).isTrue();
        assertThat(now).isNotEmpty();
        look(9.95, groups("ring-a"), List.of(guard("older", false, "taken"), lease(RING, "self", "later")));
        assertThat(contender.led(at(9.95)).isNothing()).isTrue();
    }

    /** Else that of all others would end with it, until the next look. */
    @Test
    void whatIsAboutToRunOutIsLeftBeforeItIfAllElseIsRenewed() {
        carriedOut(look(0, groups("ring-a", "spine"), List.of()), 0);
        for (Seat seat : List.of(Seat.GUARD, Seat.REST, SPINE)) {
            contender.wrote(seat, contender.version(seat), "renewed", at(3));
        }
        assertThat(contender.leading(at(3.4)).fabrics()).containsExactly("ring-a", "spine");
        assertThat(contender.leading(at(3.6)).fabrics()).containsExactly("spine");
        assertThat(contender.ledUntil(contender.leading(at(3.6)))).isEqualTo(at(8));
    }

    @Test
    void whatRunsOutTogetherIsLedToItsEnd() {
        carriedOut(look(0, groups("ring-a", "spine"), List.of()), 0);
        contender.wrote(SPINE, contender.version(SPINE), "a little later", at(0.1));
        assertThat(contender.leading(at(3.55)).fabrics()).containsExactly("ring-a", "spine");
        assertThat(contender.leading(at(4.9)).fabrics()).containsExactly("ring-a", "spine");
    }

    @Test
    void anAnswerCountsThoughTheNextLookHasBegun() {
        FabricGroups both = groups("ring-a", "spine");
        List<SeenLease> listed = carriedOut(look(0, both, List.of()), 0);
        String over = contender.version(RING);
        assertThat(look(2, both, listed).write()).containsEntry(RING, over);
        listed.removeIf(each -> each.seat().equals(RING));
        listed.add(lease(RING, "self", "renewed"));
        look(4, both, listed);
        contender.wrote(RING, over, "renewed", at(2));
        assertThat(contender.led(at(5.5)).fabrics()).containsExactly("ring-a");
        listed.removeIf(each -> each.seat().equals(RING));
        listed.add(lease(RING, "other", "theirs"));
        look(9, both, listed);
        contender.wrote(RING, "renewed", "mine", at(8.9));
        assertThat(contender.held()).as("another wrote it since").doesNotContain(RING);
    }

    @Test
    void anAnswerOfTheGuardCountsThoughAnotherThatSharesWroteItSince() {
        FabricGroups ring = groups("ring-a");
        List<SeenLease> listed = carriedOut(look(0, ring, List.of()), 0);
        String over = contender.version(Seat.GUARD);
        assertThat(look(5, ring, listed).write()).containsEntry(Seat.GUARD, over);
        listed.removeIf(each -> each.seat().equals(Seat.GUARD));
        listed.add(guard("other", true, "theirs"));
        look(9, ring, listed);
        contender.wrote(RING, contender.version(RING), "renewed", at(9));
        contender.wrote(Seat.GUARD, over, "ours", at(5));
        assertThat(contender.led(at(12)).fabrics()).containsExactly("ring-a");
        listed.removeIf(each -> each.seat().equals(Seat.GUARD) || each.seat().equals(RING));
        listed.addAll(List.of(guard("whole", false, "of all"), lease(RING, "self", "renewed")));
        look(12, ring, listed);
        contender.wrote(Seat.GUARD, "theirs", "late", at(11));
        assertThat(contender.led(at(12.5)).isNothing()).isTrue();
    }

    @Test
    void anAnswerDoesNotCountOnceTheLeaseIsLeft() {
        List<SeenLease> listed = carriedOut(look(0, groups("ring-a", "spine"), List.of()), 0);
        String over = contender.version(RING);
        look(2, groups("ring-a", "spine"), listed);
        assertThat(look(4, groups("spine"), listed).give()).contains(RING);
        contender.leave(RING);
        contender.wrote(RING, over, "renewed", at(2));
        assertThat(contender.held()).doesNotContain(RING);
        look(6, groups("ring-a", "spine"), listed);
        contender.wrote(RING, over, "again", at(6));
        assertThat(contender.held()).contains(RING);
    }

    @Test
    void whoCannotLeadAgainAndAgainWaitsLongerEachTime() {
        List<SeenLease> other = List.of(lease(Seat.ofReplica("other"), "other", "1"));
        assertThat(unfit(0, other).write()).isEmpty();
        assertThat(stands(61)).isTrue();
        unfit(70, List.of(lease(Seat.ofReplica("other"), "other", "at 70")));
        assertThat(stands(131)).isFalse();
        assertThat(stands(191)).isTrue();
        unfit(1000, List.of(lease(Seat.ofReplica("other"), "other", "at 1000")));
        assertThat(stands(1061)).as("it led for long in between").isTrue();
    }

    private LeaseActions unfit(double seconds, List<SeenLease> listed) {
        return contender.look(listed, groups("ring-a"), false, at(seconds), at(seconds));
    }

    /** While another is alive. */
    private boolean stands(double seconds) {
        return !look(seconds, groups("ring-a"), List.of(lease(Seat.ofReplica("other"), "other", "at " + seconds)))
                .write()
                .isEmpty();
    }

    @Test
    void whatNobodyNeedsIsRemovedAfterAMinute() {
        List<SeenLease> listed = new ArrayList<>(carriedOut(look(0, groups("ring-a"), List.of()), 0));
        listed.add(lease(Seat.ofReplica("dead"), "dead", "1"));
        listed.add(lease(SPINE, "", "1"));
        looks(1, 59, groups("ring-a"), listed);
        contender.wrote(Seat.REST, contender.version(Seat.REST), "later", at(60));
        listed.removeIf(each -> each.seat().equals(Seat.REST));
        listed.add(lease(Seat.REST, "self", "later"));
        assertThat(look(60, groups("ring-a"), listed).remove()).isEmpty();
        contender.wrote(Seat.REST, contender.version(Seat.REST), "later", at(62));
        assertThat(look(62, groups("ring-a"), listed).remove()).containsOnlyKeys(Seat.ofReplica("dead"), SPINE);
    }
}
