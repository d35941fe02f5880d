import { gql } from '@apollo/client'

export interface Bed {
  __typename: 'Bed'
  id: string
  plant: string
  watered: boolean
}

const fields = gql`
  fragment BedFields on Bed {
    id
    plant
    watered
  }
`

export const listBeds = gql`
  query ListBeds($dry: Boolean) {
    beds(dry: $dry) {
      ...BedFields
    }
  }
  ${fields}
`

export const waterBed = gql`
  mutation WaterBed($id: ID!) {
    waterBed(id: $id) {
      ...BedFields
    }
  }
  ${fields}
`

export const plantBed = gql`
  mutation PlantBed($input: BedInput!) {
    plantBed(input: $input) {
      ...BedFields
    }
  }
  ${fields}
`
