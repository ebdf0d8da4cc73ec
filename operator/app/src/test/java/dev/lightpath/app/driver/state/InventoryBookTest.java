package dev.lightpath.app.driver.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Port;
import org.junit.jupiter.api.Test;

class InventoryBookTest {
    private final InventoryBook book = new InventoryBook();

    private void read(String device, int revision, String port) {
        book.told(device, Integer.toString(revision));
        book.take(
                DeviceInventory.newBuilder()
                        .setDeviceId(device)
                        .setInventoryRevision(Integer.toString(revision))
                        .addPorts(Port.newBuilder().setName(port))
                        .build(),
                Device.getDefaultInstance());
    }

    @Test
    void equalInventoriesAreOneObject() {
        read("n1", 1, "p");
        read("n2", 1, "p");
        assertThat(book.of("n1").orElseThrow()).isSameAs(book.of("n2").orElseThrow());
        assertThat(book.kept()).isEqualTo(1);
    }

    @Test
    void whatNoDeviceConsistsOfAnyMoreIsForgotten() {
        read("n1", 1, "p");
        for (int revision = 1; revision < 1000; revision++) {
            read("n2", revision, "p" + revision);
        }
        assertThat(book.kept()).isLessThanOrEqualTo(4);
        read("n3", 1, "p");
        assertThat(book.of("n3").orElseThrow()).isSameAs(book.of("n1").orElseThrow());
    }
}
