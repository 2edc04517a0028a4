"""The sizes of the parts of all figures, in units; every template has them under the same names."""

CHIP_WIDTH = 92
CELL_WIDTH, CELL_HEIGHT = 38, 26  # a chip is as high
COLUMN_PITCH, ROW_PITCH = 40, 30
COLUMN_GAP = 8  # more before the last column if columns are left out there
SIZES = {name: value for name, value in globals().items() if name.isupper()}
