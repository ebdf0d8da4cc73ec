package dev.lightpath.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.soak.oracle.RingScheme;
import dev.lightpath.soak.oracle.Seats;
import dev.lightpath.soak.script.JobWish;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoomTest {
    private static final RingScheme RING = new RingScheme(
            "ring",
            true,
            3,
            4,
            IntStream.range(0, 16).mapToObj(node -> "n" + node).toList());

    private static JobWish wish(int tensor, int data) {
        return new JobWish("w", tensor, 1, data, Optional.of("ring"), Optional.empty());
    }

    private static Seats at(String job, Integer... positions) {
        return new Seats(job, 0, List.of(positions), 4, false);
    }

    @Test
    void findsAJobThatWaitsBesideFreeNodes() {
        Room room = new Room(RING);
        assertThat(room.neglected(List.of(wish(16, 2)), List.of(), Set.of())).hasSize(1);
        assertThat(room.neglected(List.of(wish(16, 4)), List.of(), Set.of())).hasSize(1);
        assertThat(room.neglected(List.of(wish(16, 5)), List.of(), Set.of())).isEmpty();
        assertThat(room.neglected(List.of(wish(64, 1)), List.of(), Set.of(4))).isEmpty();
    }

    @Test
    void doesNotCountNodesThatAreTooFarApart() {
        Room room = new Room(RING);
        List<Seats> held = List.of(at("a", 2, 3, 4), at("b", 7, 8, 9), at("c", 12, 13, 14));
        assertThat(room.neglected(List.of(wish(16, 1)), held, Set.of())).isEmpty();
        assertThat(room.neglected(List.of(wish(8, 3)), held, Set.of())).hasSize(1);
    }

    @Test
    void saysWhoWaitsForRoomThatOthersCouldMake() {
        Room room = new Room(RING);
        List<Seats> held = List.of(at("a", 2, 3, 4), at("b", 7, 8, 9), at("c", 12, 13, 14));
        assertThat(room.crowdedOut(List.of(wish(28, 1)), held, Set.of(), Set.of()))
                .containsExactly("w");
        assertThat(room.crowdedOut(List.of(wish(28, 1)), held, Set.of("a", "b", "c"), Set.of()))
                .isEmpty();
    }

    @Test
    void saysWhoIsNotMendedThoughThereIsRoom() {
        Room room = new Room(RING);
        assertThat(room.crowdedOut(List.of(), List.of(at("a", 2, 3, 4)), Set.of(), Set.of(3)))
                .containsExactly("a");
        assertThat(room.crowdedOut(List.of(), List.of(at("a", 2, 3, 4)), Set.of(), Set.of()))
                .isEmpty();
    }

    @Test
    void countsOnceWhatSeveralWhoWaitWouldTake() {
        Room room = new Room(RING);
        List<Seats> held = List.of(at("a", 2, 3, 4, 5), at("b", 8, 9, 10, 11));
        assertThat(room.gatherable(List.of(wish(16, 2)), held, Set.of())).isEqualTo(32);
        assertThat(room.gatherable(List.of(wish(16, 3)), held, Set.of())).isZero();
        assertThat(room.gatherable(List.of(wish(16, 1), wish(16, 2), wish(16, 1)), held, Set.of()))
                .isEqualTo(32);
    }
}
