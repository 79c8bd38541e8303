package org.azuremail.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The way in which the pixels of a JPEG must be turned to be upright, as the EXIF data of cameras says.
 *
 * @param mirrored whether left and right are swapped first
 * @param quarterTurns the turns to the right, by 90 degrees each
 */
record Orientation(boolean mirrored, int quarterTurns) {

    static final Orientation UPRIGHT = new Orientation(false, 0);

    /** The values of the EXIF tag, from 1. */
    private static final List<Orientation> VALUES = List.of(
            UPRIGHT,
            new Orientation(true, 0),
            new Orientation(false, 2),
            new Orientation(true, 2),
            new Orientation(true, 3),
            new Orientation(false, 1),
            new Orientation(true, 1),
            new Orientation(false, 3));

    private static final int TAG = 0x0112;
    private static final long EXIF = 0x457869660000L;

    /** Returns whether width and height are exchanged. */
    boolean turned() {
        return quarterTurns % 2 == 1;
    }

    /** Returns the orientation of a JPEG; upright if it has no EXIF data, or damaged data. */
    static Orientation of(byte[] jpeg) {
        ByteBuffer file = ByteBuffer.wrap(jpeg);
        try {
            for (int at = 2; (file.getShort(at) & 0xfff0) == 0xffe0; at += 2 + (file.getShort(at + 2) & 0xffff)) {
                if (file.getShort(at) == (short) 0xffe1 && file.getLong(at + 4) >>> 16 == EXIF) {
                    return inTiff(ByteBuffer.wrap(jpeg, at + 10, jpeg.length - at - 10)
                            .slice());
                }
            }
        } catch (IndexOutOfBoundsException damaged) {
            return UPRIGHT;
        }
        return UPRIGHT;
    }

    private static Orientation inTiff(ByteBuffer tiff) {
        tiff.order(tiff.get(0) == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        int directory = tiff.getInt(4);
        int entries = tiff.getShort(directory) & 0xffff;
        for (int i = 0; i < entries; i++) {
            int entry = directory + 2 + 12 * i;
            if (tiff.getShort(entry) == TAG) {
                int value = tiff.getShort(entry + 8);
                return value >= 1 && value <= VALUES.size() ? VALUES.get(value - 1) : UPRIGHT;
            }
        }
        return UPRIGHT;
    }
}
