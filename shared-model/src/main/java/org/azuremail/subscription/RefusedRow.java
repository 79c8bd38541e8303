package org.azuremail.subscription;

/**
 * A row of a file that changed nothing.
 *
 * @param row its number as a spreadsheet shows it: the header line is row 1
 * @param address what stood in the address column
 */
public record RefusedRow(long row, String address, String reason) {

    private static final int SHOWN = 320;

    public RefusedRow {
        address = address.length() > SHOWN ? address.substring(0, SHOWN) : address;
    }
}
