package dev.lightpath.browser;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.imageio.ImageIO;

/** Pictures of one part of a page, compared. */
final class Pictures {
    /** Of 255; less is the same to an eye. */
    private static final int VISIBLE = 48;

    private Pictures() {}

    /** Share of pixels that differ visibly in brightness; 1 for pictures of different sizes. */
    static double difference(byte[] one, byte[] other) throws IOException {
        BufferedImage a = ImageIO.read(new ByteArrayInputStream(one));
        BufferedImage b = ImageIO.read(new ByteArrayInputStream(other));
        if (a.getWidth() != b.getWidth() || a.getHeight() != b.getHeight()) {
            return 1;
        }
        int different = 0;
        for (int x = 0; x < a.getWidth(); x++) {
            for (int y = 0; y < a.getHeight(); y++) {
                if (Math.abs(brightness(a.getRGB(x, y)) - brightness(b.getRGB(x, y))) > VISIBLE) {
                    different++;
                }
            }
        }
        return (double) different / (a.getWidth() * a.getHeight());
    }

    private static int brightness(int rgb) {
        return (2126 * (rgb >> 16 & 255) + 7152 * (rgb >> 8 & 255) + 722 * (rgb & 255)) / 10_000;
    }
}
